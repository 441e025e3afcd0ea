class Deferred:
    """Collects messages and formats them when somebody wants to read them."""

    def __init__(self, every=1):
        self.every = every
        self.count = 0
        self.pending = []

    def say(self, template, *values):
        self.count += 1
        if self.count % self.every:
            return
        n = self.count

        def render():
            return f"[{n:04d}] " + template.format(*(float(v) for v in values))

        self.pending.append(render)  # <- culprit

    def flush(self, last=None):
        chosen = self.pending if last is None else self.pending[-last:]
        for render in chosen:
            print(render())
        self.pending.clear()
