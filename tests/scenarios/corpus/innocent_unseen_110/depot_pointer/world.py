import torch


class Tour:
    def __init__(self, xy):
        self.xy = xy
        b, n, _ = xy.shape
        self.rows = torch.arange(b)
        self.seen = torch.zeros(b, n, dtype=torch.bool)
        self.seen[:, 0] = True
        self.path = torch.zeros(b, n, dtype=torch.long)
        self.k = 0

    @property
    def here(self):
        return self.path[:, self.k]

    @property
    def finished(self):
        return self.k + 1 == self.path.size(1)

    def closed(self):
        return self.seen.clone()

    def go(self, node):
        self.k += 1
        self.path[:, self.k] = node
        self.seen[self.rows, node] = True

    def cost(self):
        p = self.xy[self.rows.unsqueeze(1), self.path]
        return (p - p.roll(1, 1)).pow(2).sum(-1).sqrt().sum(1)
