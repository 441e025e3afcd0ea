import torch


class SpeedPanel:
    def __init__(self, n_nodes, lags, n_steps=600):
        ring = torch.arange(n_nodes)
        chords = torch.randint(0, n_nodes, (2, n_nodes))
        self.edges = torch.cat([torch.stack([ring, ring.roll(1)]), chords], dim=1)
        self.lags = lags
        x = [torch.rand(n_nodes)]
        for t in range(n_steps):
            push = 0.5 * x[-1] + 0.4 * x[-1].roll(1) + 0.1 * torch.rand(n_nodes)
            x.append(push)
        self.series = torch.stack(x, dim=1)

    def batches(self, n, size):
        hi = self.series.size(1) - self.lags - 1
        for _ in range(n):
            starts = torch.randint(0, hi, (size,)).tolist()
            past = torch.stack([self.series[:, s:s + self.lags] for s in starts])
            future = torch.stack([self.series[:, s + self.lags] for s in starts])
            yield past, future
