class Journal:
    """Losses of the last steps, a horizon for each kind."""

    def __init__(self, horizons):
        self.horizons = horizons
        self.entries = {kind: {} for kind in horizons}

    def write(self, kind, step, loss):
        horizon = self.horizons[kind]
        kept = {s: x for s, x in self.entries[kind].items() if step - s < horizon}
        kept[step] = loss
        self.entries[kind] = kept

    def mean(self, kind):
        values = [x.item() for x in self.entries[kind].values()]
        return sum(values) / max(1, len(values))

    def line(self):
        return "  ".join(f"{k} {self.mean(k):.4f} over {len(e)}" for k, e in self.entries.items())
