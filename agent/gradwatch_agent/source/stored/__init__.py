"""Which statements put something where a name leads to, and what that can be."""
