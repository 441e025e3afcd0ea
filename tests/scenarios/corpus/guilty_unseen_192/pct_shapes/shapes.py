import torch


class ShapeStream:
    n_classes = 3

    def __init__(self, points, seed=2):
        self.points = points
        self.gen = torch.Generator().manual_seed(seed)

    def batch(self, n):
        x = torch.randn(n, self.points, 3, generator=self.gen)
        sphere = x / x.norm(dim=-1, keepdim=True)
        cube = x / x.abs().amax(-1, keepdim=True)
        disk = sphere * torch.tensor([1.0, 1.0, 0.1])
        label = torch.randint(3, (n,), generator=self.gen)
        return torch.stack([sphere, cube, disk])[label, torch.arange(n)], label
