import torch
from torch import nn


class MaskNet(nn.Module):
    def __init__(self, n_fft, hop, width):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        bins = n_fft // 2 + 1
        self.net = nn.Sequential(
            nn.Conv1d(bins, width, 3, padding=1), nn.ReLU(), nn.Conv1d(width, width, 3, padding=1), nn.ReLU(),
            nn.Conv1d(width, bins, 1), nn.Sigmoid(),
        )

    def magnitude(self, wave):
        return torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True).abs()

    def forward(self, batch):
        wet, dry = batch
        mag = self.magnitude(wet)
        estimate = self.net(torch.log1p(mag)) * mag
        return (torch.log1p(estimate) - torch.log1p(self.magnitude(dry))).pow(2).mean()
