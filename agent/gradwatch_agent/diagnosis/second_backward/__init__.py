"""`second-backward`: which of two backwards is to let go of the graph, and where."""
