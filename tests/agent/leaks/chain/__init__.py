"""Graphs that each iteration goes on from: graph-chain."""
