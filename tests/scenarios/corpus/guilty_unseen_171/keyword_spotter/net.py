import torch.nn as nn


class SeparableBlock(nn.Module):
    def __init__(self, c_in, c_out, k=5):
        super().__init__()
        self.depth = nn.Conv1d(c_in, c_in, k, padding=k // 2, groups=c_in)
        self.point = nn.Conv1d(c_in, c_out, 1)
        self.norm = nn.BatchNorm1d(c_out)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.norm(self.point(self.depth(x))))


class Spotter(nn.Module):
    def __init__(self, n_bins, n_words):
        super().__init__()
        self.blocks = nn.Sequential(SeparableBlock(n_bins, 24), SeparableBlock(24, 24))
        self.head = nn.Linear(24, n_words)

    def forward(self, spec):
        return self.head(self.blocks(spec).mean(dim=-1))
