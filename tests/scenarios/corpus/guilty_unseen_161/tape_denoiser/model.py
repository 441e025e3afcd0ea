import torch
from torch import nn


class HissNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.enc = nn.Conv1d(1, channels, 9, padding=4)
        self.mid = nn.Conv1d(channels, channels, 5, padding=4, dilation=2)
        self.gate = nn.Conv1d(channels, channels, 1)
        self.dec = nn.Conv1d(channels, 1, 9, padding=4)

    def forward(self, x):
        h = torch.tanh(self.enc(x))
        h = h + torch.tanh(self.mid(h)) * torch.sigmoid(self.gate(h))
        return x - self.dec(h)


def spectral_loss(a, b, n_fft=128):
    win = torch.hann_window(n_fft)

    def mag(t):
        return torch.stft(t.squeeze(1), n_fft, hop_length=64, window=win, return_complex=True).abs()

    return (mag(a).add(1e-5).log() - mag(b).add(1e-5).log()).abs().mean()
