import torch
import torch.nn as nn


class DelayNet(nn.Module):
    def __init__(self, n_features, lines, width=20):
        super().__init__()
        self.line = nn.Embedding(lines, 4)
        self.body = nn.Sequential(nn.Linear(n_features + 4, width), nn.SiLU(),
                                  nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)

    def forward(self, line, x):
        z = self.out(self.body(torch.cat([x, self.line(line)], 1)))
        return z[:, 0], z[:, 1].clamp(-4, 4)
