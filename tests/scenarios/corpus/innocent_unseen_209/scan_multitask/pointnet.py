import torch
import torch.nn.functional as F
from torch import nn


class Heads(nn.Module):
    def __init__(self, d: int = 32) -> None:
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(3, d), nn.ReLU(), nn.Linear(d, d))
        self.cls = nn.Linear(d, 3)
        self.size = nn.Linear(d, 3)
        self.seg = nn.Linear(2 * d, 1)

    def losses(self, pts, kind, size, upper) -> torch.Tensor:
        local = self.shared(pts)
        whole = F.relu(local).amax(1)
        both = torch.cat([F.relu(local), whole[:, None].expand_as(local)], -1)
        return torch.stack([
            F.cross_entropy(self.cls(whole), kind),
            F.smooth_l1_loss(self.size(whole), size),
            F.binary_cross_entropy_with_logits(self.seg(both)[..., 0], upper),
        ])


def shapes(step: int, n: int, k: int):
    g = torch.Generator().manual_seed(step)
    kind = torch.randint(3, (n,), generator=g)
    size = 0.5 + torch.rand(n, 3, generator=g)
    p = torch.randn(n, k, 3, generator=g)
    ball = F.normalize(p, dim=-1)
    box = p / p.abs().amax(-1, keepdim=True)
    octa = p / p.abs().sum(-1, keepdim=True)
    pts = torch.stack([ball, box, octa])[kind, torch.arange(n)] * size[:, None]
    upper = (pts[..., 2] > pts[..., 2].mean(1, keepdim=True)).float()
    return pts, kind, size, upper
