import torch
from torch import nn


class ClassAnchors(nn.Module):
    """Class centres that trail behind learned proposals."""

    def __init__(self, classes: int, dim: int, pace: float = 0.1) -> None:
        super().__init__()
        self.proposal = nn.Parameter(0.1 * torch.randn(classes, dim))
        self.pace = pace
        self.centre = torch.zeros(classes, dim)

    def refresh(self) -> None:
        self.centre = torch.lerp(self.centre, self.proposal, self.pace)  # <- culprit

    def logits(self, z: torch.Tensor) -> torch.Tensor:
        return -(z[:, None] - self.centre[None]).pow(2).sum(-1)
