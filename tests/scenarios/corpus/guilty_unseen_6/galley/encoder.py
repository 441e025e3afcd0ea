from torch import nn
import torch.nn.functional as F


class SpectrumEncoder(nn.Module):
    def __init__(self, bins, width):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5, padding=2)
        self.norm = nn.GroupNorm(2, 8)
        self.proj = nn.Linear(8 * (bins // 4), width)

    def forward(self, x):
        h = F.max_pool1d(F.gelu(self.norm(self.conv(x.unsqueeze(1)))), 4)
        return F.normalize(self.proj(h.flatten(1)), dim=1)
