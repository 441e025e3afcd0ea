import torch


class EventStream:
    """Synthetic interaction stream: users talk mostly inside their own group."""

    def __init__(self, nodes=30, feat=6, groups=3, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.nodes, self.feat = nodes, feat
        self.group = torch.arange(nodes) % groups
        self.topic = torch.randn(groups, feat, generator=self.g)

    def batches(self, n, size):
        for _ in range(n):
            src = torch.randint(0, self.nodes, (size,), generator=self.g)
            dst = (src + 3 * torch.randint(1, 10, (size,), generator=self.g)) % self.nodes
            neg = torch.randint(0, self.nodes, (size,), generator=self.g)
            x = self.topic[self.group[src]]
            x = x + 0.3 * torch.randn(size, self.feat, generator=self.g)
            yield src, dst, neg, x
