"""Small faulty jobs, each a function: what it does wrong stands in the line with the arrow.

The first line of a docstring tells the kind, the holder and the cure: "replaced" if the code that
is suggested replaces the statement, "before" if it goes before it, "words" if there is none. A job
without one has a test of its own.
"""
