"""From a fault to the statement to change: who holds it, where, what to write.

Owns the choice among the names that lead to a graph and the statements that store into them.
Runs only on suspicion; keeps nothing alive when it returns. A wrong line is worse than none.
"""
