class Leaderboard:
    def __init__(self, limit):
        self.limit = limit
        self.rows = []

    def submit(self, step, loss, pred):
        self.rows.append({"step": step, "loss": loss, "pred": pred})
        self.rows.sort(key=lambda r: r["loss"].item())
        self.rows = self.rows[: self.limit]

    def __str__(self):
        return "top " + ", ".join(f"#{r['step']}:{r['loss'].item():.3f}" for r in self.rows)


class Milestones:
    """first, best and last outcome, and the full curve as floats"""

    def __init__(self):
        self.first = self.best = self.last = None
        self.curve = []

    def see(self, step, loss, pred):
        entry = (step, loss, pred)
        if self.first is None:
            self.first = entry
        if self.best is None or loss < self.best[1]:
            self.best = entry
        self.last = entry
        self.curve.append(loss.item())

    def __str__(self):
        return f"first {self.first[1].item():.3f} best {self.best[1].item():.3f}@{self.best[0]} last {self.last[1].item():.3f}"
