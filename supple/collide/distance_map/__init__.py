"""Signed distance to triangle meshes by look-up: building, storing and querying voxel maps."""
