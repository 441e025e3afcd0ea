import torch


class SurfacePatches:
    """Rows of texture statistics; about a third of the patches have a scratch."""

    n_features = 12

    def __init__(self, n):
        self.y = (torch.rand(n) < 0.3).float()
        base = torch.randn(n, self.n_features)
        mark = torch.zeros(n, self.n_features)
        mark[:, 3] = 1.4
        mark[:, 7] = -1.1
        self.x = base + self.y[:, None] * mark
        self.x[:, 5] *= self.x[:, 3]

    def batches(self, size):
        order = torch.randperm(len(self.y))
        for i in range(0, len(order), size):
            j = order[i:i + size]
            yield self.x[j], self.y[j]
