import torch


class TourEnv:
    """State of a batch of partial tours, all starting in node 0."""

    def __init__(self, coords):
        self.coords = coords
        b, n, _ = coords.shape
        self.n = n
        self.visited = torch.zeros(b, n, dtype=torch.bool)
        self.visited[:, 0] = True
        self.order = [torch.zeros(b, dtype=torch.long)]

    @property
    def first(self):
        return self.order[0]

    @property
    def last(self):
        return self.order[-1]

    def mask(self):
        return self.visited  # <- culprit

    def visit(self, idx):
        self.visited.scatter_(1, idx.unsqueeze(1), True)  # <- culprit
        self.order.append(idx)

    def done(self):
        return len(self.order) == self.n

    def length(self):
        seq = torch.stack(self.order, 1)
        pts = self.coords.gather(1, seq.unsqueeze(-1).expand(-1, -1, 2))
        return (pts - pts.roll(-1, 1)).norm(dim=-1).sum(1)
