import torch
from torch import nn
from torch.nn import functional as F


class UpsampleVocoder(nn.Module):
    def __init__(self, bins, hop, width):
        super().__init__()
        self.inp = nn.Conv1d(bins, width, 3, padding=1)
        self.mid = nn.Conv1d(width, width, 3, padding=2, dilation=2)
        self.out = nn.Conv1d(width, hop, 1)

    def forward(self, cond):
        h = F.leaky_relu(self.inp(cond), 0.1)
        h = h + F.leaky_relu(self.mid(h), 0.1)
        frames = self.out(h).transpose(1, 2)
        return torch.tanh(frames.flatten(1))


def spectral_distance(pred, target, sizes=(32, 64)):
    total = 0.0
    for n in sizes:
        window = torch.hann_window(n)
        a = torch.stft(pred, n, n // 4, window=window, return_complex=True).abs()
        b = torch.stft(target, n, n // 4, window=window, return_complex=True).abs()
        total = total + (a - b).abs().mean()
    return total / len(sizes)
