import torch


class Archive:
    """All adapted dials, for a look at how far they moved from each other."""

    def __init__(self):
        self.vectors = []
        self.scores = {}
        self.best = (float("inf"), None)

    def store(self, dial, fast, query):
        with torch.no_grad():
            vec = torch.cat([p.flatten() for p in fast.values()])
        self.vectors.append(vec)
        self.scores[dial.number] = query.item()
        if self.scores[dial.number] < self.best[0]:
            self.best = (self.scores[dial.number], {k: v.detach() for k, v in fast.items()})

    def describe(self):
        stack = torch.stack(self.vectors[-60:])
        return (f"{len(self.vectors)} dials adapted, best query {self.best[0]:.5f}, "
                f"spread of the last 60: {stack.std(0).mean():.4f}")
