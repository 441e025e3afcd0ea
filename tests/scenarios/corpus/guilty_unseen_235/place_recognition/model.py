import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ScanCode(nn.Module):
    """Turns a polar scan into a unit length code that ignores the heading."""

    def __init__(self, dim: int = 32) -> None:
        super().__init__()
        self.conv1 = nn.Conv1d(1, 16, 9, padding=4, padding_mode="circular")
        self.conv2 = nn.Conv1d(16, 32, 9, stride=3)
        self.proj = nn.Linear(64, dim)

    def forward(self, scan: Tensor) -> Tensor:
        h = F.silu(self.conv1(scan.unsqueeze(1)))
        h = F.silu(self.conv2(h))
        pooled = torch.cat([h.mean(dim=-1), h.amax(dim=-1)], dim=-1)
        return F.normalize(self.proj(pooled), dim=-1)


def contrast(codes: Tensor, others: Tensor, temp: float = 0.2) -> Tensor:
    half = codes.shape[0] // 2
    a, b = codes[:half], codes[half:]
    pos = (a * b).sum(dim=-1, keepdim=True) / temp
    neg = a @ others.T / temp
    logits = torch.cat([pos, neg], dim=1)
    return F.cross_entropy(logits, torch.zeros(half, dtype=torch.long))
