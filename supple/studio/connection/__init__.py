"""Between page and simulation: server, socket protocol, packing, clients."""
