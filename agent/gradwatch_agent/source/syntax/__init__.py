"""Source files as trees: what a line stands in, what an expression reads and writes."""
