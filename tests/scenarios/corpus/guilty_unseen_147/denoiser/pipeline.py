import math

import torch

from .network import Band


class Pipeline:
    def __init__(self, net, probe, lr=3e-3):
        self.net, self.probe = net, probe
        probe.attach(net, Band)
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    @staticmethod
    def clips(n, length=64, batch=4):
        t = torch.arange(length) / length
        for _ in range(n):
            f = torch.rand(batch, 1, 1) * 6 + 1
            clean = torch.sin(2 * math.pi * f * t)
            yield clean + 0.3 * torch.randn(batch, 1, length), clean

    def _one(self, noisy, clean):
        self.opt.zero_grad()
        spectrum_gap = torch.fft.rfft(self.net(noisy) - clean).abs().mean()
        spectrum_gap.backward()
        self.opt.step()
        return spectrum_gap.item()

    def fit(self, epochs, clips_per_epoch):
        for _ in range(epochs):
            vals = [self._one(*pair) for pair in self.clips(clips_per_epoch)]
            print(round(sum(vals) / len(vals), 4))
