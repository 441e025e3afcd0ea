import torch


class WindowPairs:
    """Two overlapping crops of the same synthetic signal."""

    def __init__(self, steps, batch, length):
        self.steps, self.batch, self.length = steps, batch, length
        self.gen = torch.Generator().manual_seed(37)

    def __iter__(self):
        t = torch.arange(self.length + 8).float()
        for _ in range(self.steps):
            freq = 0.1 + torch.rand(self.batch, 1, generator=self.gen)
            wave = torch.sin(freq * t) + 0.1 * torch.randn(self.batch, len(t), generator=self.gen)
            yield wave[:, : self.length], wave[:, 8:]
