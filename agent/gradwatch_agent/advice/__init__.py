"""What to write instead, in the user's own names. Pure: from a statement to a sentence.

The code in a sentence is Python: it replaces the statement, or goes before it where it says so.
"""
