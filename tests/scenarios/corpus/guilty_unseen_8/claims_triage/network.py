import torch
from torch import nn


class SeverityNet(nn.Module):
    def __init__(self, n_numeric: int, n_codes: int, width: int = 64, levels: int = 4) -> None:
        super().__init__()
        self.codes = nn.EmbeddingBag(n_codes, 16, mode="mean")
        self.norm = nn.LayerNorm(n_numeric)
        self.mlp = nn.Sequential(
            nn.Linear(n_numeric + 16, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, width), nn.GELU(), nn.Linear(width, levels)
        )

    def forward(self, numeric: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        return self.mlp(torch.cat([self.norm(numeric), self.codes(codes)], dim=-1))
