# gradwatch-corpus: kind=inplace-modified
# holder: mask
# first-bad: 20
"""Time-frequency masking for speech-like signals, with a spectral floor after warm-up."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class MaskConfig:
    bins: int = 33
    frames: int = 20
    hidden: int = 24
    batch: int = 8
    iterations: int = 60
    warmup: int = 20
    floor: float = 0.05
    lr: float = 3e-3


class MaskNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.norm = nn.LayerNorm(cfg.bins)
        self.rnn = nn.GRU(cfg.bins, cfg.hidden, batch_first=True)
        self.gate = nn.Linear(cfg.hidden, cfg.bins)

    def forward(self, magnitude):
        hidden, _ = self.rnn(self.norm(magnitude.log1p()))
        return torch.sigmoid(self.gate(hidden))


class SpectralFloor:
    """Keeps a mask from gating bins fully, which is heard as musical noise."""

    def __init__(self, floor, start):
        self.floor = floor
        self.start = start

    def active(self, iteration):
        return iteration >= self.start

    def __call__(self, mask):
        return mask.clamp_(min=self.floor)  # <- culprit


def mixtures(cfg, gen):
    shape = (cfg.batch, cfg.frames, cfg.bins)
    centre = torch.rand(cfg.batch, 1, 1, generator=gen) * cfg.bins
    formant = torch.exp(-((torch.arange(cfg.bins) - centre) / 4) ** 2)
    talk = (torch.rand(cfg.batch, cfg.frames, 1, generator=gen) < 0.7).float()
    clean = 2 * formant * talk
    noise = 0.5 * torch.rand(shape, generator=gen)
    return clean + noise, clean


class Enhancer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = MaskNet(cfg)
        self.post = SpectralFloor(cfg.floor, cfg.warmup)
        self.optimizer = torch.optim.Adam(self.net.parameters(), cfg.lr)
        self.gen = torch.Generator().manual_seed(40)

    def enhance(self, noisy, iteration):
        mask = self.net(noisy)
        if self.post.active(iteration):
            mask = self.post(mask)  # <- culprit
        return mask * noisy

    def iterate(self, iteration):
        noisy, clean = mixtures(self.cfg, self.gen)
        loss = (self.enhance(noisy, iteration) - clean).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(40)
    torch.set_num_threads(1)
    cfg = MaskConfig()
    enhancer = Enhancer(cfg)
    for iteration in range(cfg.iterations):
        value = enhancer.iterate(iteration)
        if iteration % 10 == 0:
            print(f"{iteration:3d}  mse {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
