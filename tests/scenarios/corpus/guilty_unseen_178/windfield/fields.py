import torch


class WindField:
    def __init__(self, grid, seed):
        self.grid = grid
        self.gen = torch.Generator().manual_seed(seed)

    def pair(self, batch):
        now = torch.randn(batch, self.grid, self.grid, 2, generator=self.gen)
        smooth = (now + now.roll(1, 1) + now.roll(1, 2)) / 3
        return now.flatten(1, 2), smooth.flatten(1, 2)
