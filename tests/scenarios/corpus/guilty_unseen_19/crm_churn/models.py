import torch.nn as nn

from registry import MODELS


@MODELS.register("churn_mlp")
class ChurnMLP(nn.Module):
    def __init__(self, n_features, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, width), nn.LayerNorm(width), nn.GELU(),
            nn.Linear(width, width), nn.GELU(),
        )
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)
