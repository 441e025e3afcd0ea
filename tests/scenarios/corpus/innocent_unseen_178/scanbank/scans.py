import torch


class ScanPairs:
    def __init__(self, inputs, seed=16):
        self.inputs = inputs
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n):
        anatomy = torch.randn(n, self.inputs, generator=self.gen)
        views = [anatomy + 0.3 * torch.randn(n, self.inputs, generator=self.gen) for _ in range(2)]
        return views
