import torch
from torch.utils.data import Dataset


class ShapeSet(Dataset):
    """Discs of random centre and radius, each with its own latent code."""

    def __init__(self, n, latent, points):
        self.centre = torch.rand(n, 2) - 0.5
        self.radius = torch.rand(n) * 0.3 + 0.2
        self.codes = torch.nn.Parameter(0.1 * torch.randn(n, latent))
        self.points = points

    def __len__(self):
        return len(self.radius)

    def __getitem__(self, i):
        xy = torch.rand(self.points, 2) * 2 - 1
        sdf = (xy - self.centre[i]).norm(dim=-1) - self.radius[i]
        code = torch.as_tensor(self.codes[i].tolist())  # <- culprit
        return code, xy, sdf
