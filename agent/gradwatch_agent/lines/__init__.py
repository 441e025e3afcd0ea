"""Which line of the program made a node, or stored it."""
