import torch
from torch import nn
import torch.nn.functional as F


class OnlineCmvn(nn.Module):
    """Subtract an exponentially averaged per-channel mean (as a streaming decoder would)."""

    def __init__(self, n_channels, momentum=0.95):
        super().__init__()
        self.momentum = momentum
        self.mean = torch.zeros(n_channels)

    def forward(self, feats):
        if self.training:
            batch_mean = feats.mean(dim=(0, 1))  # <- culprit
            self.mean = self.momentum * self.mean + (1.0 - self.momentum) * batch_mean  # <- culprit
        return feats - self.mean


class LearnedFilterbank(nn.Module):
    def __init__(self, n_bins, n_filters):
        super().__init__()
        self.filters = nn.Linear(n_bins, n_filters)
        self.cmvn = OnlineCmvn(n_filters)

    def forward(self, spec):
        energy = F.softplus(self.filters(spec))
        return self.cmvn(energy)


class KeywordNet(nn.Module):
    def __init__(self, n_bins, n_filters, n_keywords):
        super().__init__()
        self.frontend = LearnedFilterbank(n_bins, n_filters)
        self.conv = nn.Conv1d(n_filters, 16, kernel_size=5, padding=2)
        self.out = nn.Linear(16, n_keywords)

    def forward(self, spec):
        feats = self.frontend(spec)
        h = torch.relu(self.conv(feats.transpose(1, 2)))
        return self.out(h.amax(dim=-1)), feats
