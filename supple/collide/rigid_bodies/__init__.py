"""Obstacles with a mass: rigid bodies that fall, touch each other and take the reactions of cloth."""
