"""Obstacles a scene declares: solids, meshes, figures, furniture and their motion."""
