# gradwatch-corpus: kind=second-backward
# holder: self._terms | bank._terms | self._terms[slot]
# first-bad: 33
"""Learned analysis filterbank (audio codec front end). The frame-tightness term is expensive and therefore
evaluated lazily, every few steps, once the reconstruction has settled."""
import math

import torch
from torch import nn


class Filterbank(nn.Module):
    def __init__(self, taps=32, bands=16, lazy=4, settle=30):
        super().__init__()
        n = torch.arange(taps).float()
        k = torch.arange(bands).float()[:, None]
        cosines = torch.cos(math.pi / bands * (n + 0.5 + bands / 2) * (k + 0.5)) * torch.sin(math.pi * (n + 0.5) / taps)
        self.analysis = nn.Parameter(cosines * math.sqrt(2 / bands) + 0.05 * torch.randn(bands, taps))
        self.synthesis = nn.Parameter(cosines * math.sqrt(2 / bands) + 0.05 * torch.randn(bands, taps))
        self.lazy, self.settle = lazy, settle
        self._terms = {}

    def forward(self, pcm):
        sub = nn.functional.conv1d(pcm, self.analysis[:, None], stride=16, padding=16)
        return nn.functional.conv_transpose1d(sub, self.synthesis[:, None], stride=16, padding=16), sub

    def tightness(self, step):
        if step < self.settle:
            return 0.0
        slot = step // self.lazy
        if slot not in self._terms:
            self._terms.clear()
            spec = torch.fft.rfft(self.analysis, n=128).abs().square().sum(0)
            self._terms[slot] = (spec / spec.mean() - 1).square().mean()  # <- culprit
        return self._terms[slot]


def pcm(n=8, length=512):
    t = torch.arange(length) / 100
    f = torch.rand(n, 3, 1) * 12
    return (torch.sin(2 * math.pi * f * t).mean(1) + 0.02 * torch.randn(n, length)).unsqueeze(1)


torch.manual_seed(48)
bank = Filterbank(settle=32)
opt = torch.optim.Adam(bank.parameters(), lr=1e-3)
for step in range(300):
    clip = pcm()
    back, sub = bank(clip)
    err = (back - clip).square().mean()
    cost = err + 0.05 * bank.tightness(step) + 1e-4 * sub.abs().mean()
    opt.zero_grad()
    cost.backward()
    opt.step()
    if step % 10 == 0:
        print(f"step {step} snr {10 * math.log10(clip.square().mean().item() / err.item()):.2f} dB")
