"""The user's source as syntax: which statements store under a name, and which names they read.

Must not know torch, graphs or frames. Pure but for reading source files.
"""
