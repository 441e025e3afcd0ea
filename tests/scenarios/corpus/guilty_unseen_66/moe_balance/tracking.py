class SmoothedStats:
    """Mixin: bias-corrected running averages by key, kept on the module that owns them."""

    def init_stats(self, momentum):
        self.momentum = momentum
        self.stats = {}
        self.count = {}

    def track(self, key, value):
        prev = self.stats.get(key)
        if prev is None:
            self.stats[key] = value  # <- culprit
        else:
            self.stats[key] = self.momentum * prev + (1 - self.momentum) * value  # <- culprit
        self.count[key] = self.count.get(key, 0) + 1
        return self.stats[key]

    def describe(self):
        return {k: [round(v, 3) for v in t.tolist()] for k, t in self.stats.items()}
