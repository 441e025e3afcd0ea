class EventWriter:
    def __init__(self, flush_every=25):
        self.flush_every = flush_every
        self.pending = []
        self.history = {}

    def add_scalar(self, tag, value, step):
        self.pending.append((tag, value, step))

    def step_end(self, step):
        if (step + 1) % self.flush_every == 0:
            self.flush()

    def flush(self):
        for tag, value, step in self.pending:
            value = value.item() if hasattr(value, "item") else float(value)
            self.history.setdefault(tag, []).append((step, value))
        self.pending = []
