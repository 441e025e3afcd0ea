class PingPong:
    """Two buffers: one is written while the other is read."""

    def __init__(self, size):
        self.size = size
        self.front, self.back = [], []

    def write(self, item):
        self.back.append(item)
        if len(self.back) == self.size:
            self.swap()

    def swap(self):
        self.front, self.back = self.back, self.front
        self.back.clear()

    def read(self):
        return tuple(self.front)
