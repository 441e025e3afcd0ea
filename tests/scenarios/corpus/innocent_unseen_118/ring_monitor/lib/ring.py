class Ring:
    """Fixed slots, written round and round. Slot content: any tuple."""

    def __init__(self, slots):
        self._slots = [None] * slots
        self._next = 0
        self._written = 0

    def write(self, *values):
        self._slots[self._next] = values
        self._next = (self._next + 1) % len(self._slots)
        self._written += 1

    def __len__(self):
        return min(self._written, len(self._slots))

    def __iter__(self):
        n = len(self._slots)
        start = self._next if self._written >= n else 0
        for k in range(len(self)):
            yield self._slots[(start + k) % n]

    def column(self, k):
        return [row[k] for row in self]
