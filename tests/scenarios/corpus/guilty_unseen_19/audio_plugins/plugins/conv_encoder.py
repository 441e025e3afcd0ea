import torch.nn as nn
import torch.nn.functional as F


class ConvEncoder(nn.Module):
    def __init__(self, mels, dim):
        super().__init__()
        self.c1 = nn.Conv1d(mels, 24, 5, stride=2, padding=2)
        self.c2 = nn.Conv1d(24, 32, 5, stride=2, padding=2)
        self.proj = nn.Linear(32, dim)

    def forward(self, spec):
        h = F.relu(self.c2(F.relu(self.c1(spec))))
        return F.normalize(self.proj(h.mean(-1)), dim=1)


def build(mels, dim):
    return ConvEncoder(mels, dim)
