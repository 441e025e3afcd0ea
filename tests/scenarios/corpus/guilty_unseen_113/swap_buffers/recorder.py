class Recorder:
    """Two buffers: one is filled while the other is being reported."""

    def __init__(self, keys):
        self.keys = tuple(keys)
        self._front = {k: [] for k in self.keys}
        self._back = {k: [] for k in self.keys}
        self._mark = dict.fromkeys(self.keys, 0)
        self._next_mark = dict.fromkeys(self.keys, 0)

    def __call__(self, key, value):
        self._front[key].append(value)  # <- culprit

    def flip(self):
        self._front, self._back = self._back, self._front  # <- culprit
        self._mark, self._next_mark = self._next_mark, self._mark

    def report(self):
        """Means of what the last week brought (the buffer just put to the back)."""
        out = {}
        for k in self.keys:
            fresh = self._back[k][self._next_mark[k]:]
            self._next_mark[k] = len(self._back[k])
            out[k] = sum(v.item() for v in fresh) / max(1, len(fresh))
        return out
