import torch
from torch import nn


class PointEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.cls = nn.Linear(dim, 3)

    def forward(self, pts):
        feats = self.local(pts)
        return feats, self.cls(feats.amax(1))


def clouds(gen, batch=6):
    n = int(torch.randint(16, 49, (1,), generator=gen))
    kind = torch.randint(3, (batch,), generator=gen)
    pts = torch.randn(batch, n, 3, generator=gen)
    sphere = pts / pts.norm(dim=-1, keepdim=True)
    disc = pts * torch.tensor([1.0, 1.0, 0.05])
    k = kind[:, None, None]
    return torch.where(k == 0, pts, torch.where(k == 1, sphere, disc)), kind
