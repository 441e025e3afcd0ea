"""Graphs that are kept, by what: graph-held."""
