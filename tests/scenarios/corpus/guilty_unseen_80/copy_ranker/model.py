import torch
from torch import nn

class CopyScorer(nn.Module):
    def __init__(self, vocabulary: int, width: int):
        super().__init__()
        self.words = nn.EmbeddingBag(vocabulary, width, mode="mean")
        self.tower = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.tower(self.words(tokens)).squeeze(-1)
