"""Bodies a scene declares: cloth, chains, lattices, networks, soft bodies, puppets, and their materials."""
