class Node:
    __slots__ = ("payload", "older")

    def __init__(self, payload, older):
        self.payload = payload
        self.older = older


class Chain:
    """Newest first; walks at most `depth` nodes and drops what lies beyond."""

    def __init__(self, depth):
        self.depth = depth
        self.head = None

    def push(self, payload):
        self.head = Node(payload, self.head)
        node = self.head
        for _ in range(self.depth - 1):
            if node.older is None:
                return
            node = node.older
        node.older = None

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.payload
            node = node.older
