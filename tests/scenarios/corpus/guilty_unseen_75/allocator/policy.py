import torch
from torch import Tensor, nn


class ParametricPolicy(nn.Module):
    """Long-only weights, linear in the assets' characteristics before the softmax."""

    def __init__(self, characteristics: int) -> None:
        super().__init__()
        self.theta = nn.Parameter(0.01 * torch.randn(characteristics, 1))

    def forward(self, features: Tensor) -> Tensor:
        scenarios, assets, k = features.shape
        scores = features.reshape(-1, k) @ self.theta
        return scores.view(scenarios, assets).softmax(-1)
