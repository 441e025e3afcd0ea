import torch


class PingDataset:
    """Echoes of fish schools, rocks and the bare sea floor."""

    def __init__(self, n, n_range=40):
        r = torch.arange(n_range).float()
        self.y = torch.randint(0, 3, (n,))
        centre = 8 + 24 * torch.rand(n, 1)
        width = torch.tensor([4.0, 1.5, 0.0])[self.y].unsqueeze(1)
        bump = torch.exp(-((r - centre) ** 2) / (2 * width.clamp_min(0.5) ** 2))
        bump = bump * (self.y != 2).float().unsqueeze(1)
        self.x = (bump + 0.2 * torch.randn(n, n_range)) * torch.exp(-0.03 * r)

    def __len__(self):
        return len(self.y)

    def sample(self, k):
        i = torch.randint(0, len(self.y), (k,))
        return self.x[i], self.y[i]

    def in_order(self, k):
        for a in range(0, len(self.y), k):
            yield self.x[a:a + k], self.y[a:a + k]
