import torch
from torch import nn


class DSBlock(nn.Module):
    """Depthwise separable convolution as in DS-CNN."""

    def __init__(self, ch):
        super().__init__()
        self.dw = nn.Conv1d(ch, ch, 5, padding=2, groups=ch, bias=False)
        self.pw = nn.Conv1d(ch, ch, 1)
        self.norm = nn.BatchNorm1d(ch)

    def forward(self, x):
        return torch.relu(self.norm(self.pw(self.dw(x)))) + x


class KeywordNet(nn.Module):
    def __init__(self, n_mels=20, ch=24, n_words=8, depth=3):
        super().__init__()
        self.stem = nn.Conv1d(n_mels, ch, 5, stride=2, padding=2)
        self.blocks = nn.Sequential(*[DSBlock(ch) for _ in range(depth)])
        self.head = nn.Linear(ch, n_words)

    def forward(self, mel):
        h = torch.relu(self.stem(mel))
        h = self.blocks(h)
        return self.head(h.mean(dim=-1))
