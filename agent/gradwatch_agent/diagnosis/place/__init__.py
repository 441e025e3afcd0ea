"""From a name to the statement that stores under it, and to the answer."""
