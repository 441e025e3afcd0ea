import torch


class Trimmed(list):
    """A list cut back to its newest `keep` items each time it reaches twice that."""

    def __init__(self, keep):
        super().__init__()
        self.keep = keep

    def append(self, item):
        super().append(item)
        if len(self) >= 2 * self.keep:
            del self[:-self.keep]


class LossHistory:
    def __init__(self, keep):
        self.terms = Trimmed(keep)

    def record(self, value_loss, rank_loss):
        self.terms.append((value_loss, rank_loss))

    def trend(self):
        if len(self.terms) < self.terms.keep:
            return 0.0
        v = torch.stack([a + b for a, b in self.terms]).detach()
        half = len(v) // 2
        return (v[half:].mean() / v[:half].mean() - 1).item()

    def tail_values(self, n):
        return [(a + b).item() for a, b in self.terms[-n:]]
