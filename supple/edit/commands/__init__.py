"""One file per edit a user asks for: cut, sew, tear, shrink, erase; and when scheduled ones are due."""
