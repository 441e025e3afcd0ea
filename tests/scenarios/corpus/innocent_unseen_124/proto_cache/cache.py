class BatchCache:
    def __init__(self):
        self._d = {}

    def put(self, key, value):
        self._d[key] = value

    def drain(self, split):
        keys = [k for k in self._d if k[0] == split]
        return [self._d.pop(k) for k in keys]
