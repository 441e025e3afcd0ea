class Journal:
    """Collects entries and writes a line for each batch of them."""

    def __init__(self, every):
        self.every = every
        self.entries = []
        self.lines = []

    def note(self, step, value):
        self.entries.append((step, value))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.lines.append(self.render())
        del self.lines[:-5]
        self.flush()
        return False

    def render(self):
        return f"{len(self.entries)} entries"

    def flush(self):
        self.entries.clear()  # <- culprit


class LossJournal(Journal):
    def __init__(self, every):
        super().__init__(every)
        self.losses = []

    def note(self, step, value):
        self.losses.append((step, value))  # <- culprit

    def render(self):
        last = self.losses[-self.every:]
        mean = sum(v.item() for _, v in last) / max(1, len(last))
        return f"steps {last[0][0]}-{last[-1][0]} mean {mean:.4f}"
