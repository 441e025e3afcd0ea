"""`graph-held`: which of all names that lead to finished graphs keeps them."""
