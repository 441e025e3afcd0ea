class StepCache:
    """Embeddings of recent queries; entries live for `ttl` steps."""

    def __init__(self, ttl=30):
        self.ttl = ttl
        self.born = {}
        self.vectors = {}

    def put(self, key, vector, step):
        self.born[key] = step
        self.vectors[key] = vector  # <- culprit

    def evict(self, step):
        stale = [k for k, b in self.born.items() if step - b >= self.ttl]
        for key in stale:
            del self.born[key]  # <- culprit
        return len(stale)

    def lookup(self, keys):
        return [self.vectors[k].detach() for k in keys if k in self.born]

    def recent(self, n):
        return sorted(self.born, key=self.born.get)[-n:]
