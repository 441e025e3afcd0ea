# gradwatch-corpus: kind=graph-chain
# holder: self.floor | frontend.floor | model.frontend.floor | self.frontend.floor
"""Keyword spotting with a learned filterbank and a slowly tracked noise floor."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Cfg:
    window: int = 128
    bands: int = 12
    words: int = 3
    rate: float = 0.05
    batch: int = 24
    updates: int = 100
    lr: float = 5e-3


class FilterbankFrontend(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.filters = nn.Parameter(0.05 * torch.randn(cfg.window, cfg.bands))
        self.rate = cfg.rate
        self.floor = torch.zeros(cfg.bands)

    def forward(self, wave):
        power = torch.log1p((wave @ self.filters).square())
        if self.training:
            quiet = power.quantile(0.2, dim=0)
            self.floor = torch.lerp(self.floor, quiet, self.rate)  # <- culprit
        return power - self.floor


class Spotter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.frontend = FilterbankFrontend(cfg)
        self.classify = nn.Linear(cfg.bands, cfg.words)

    def forward(self, wave):
        return self.classify(self.frontend(wave))


def utterances(cfg, gen):
    word = torch.randint(0, cfg.words, (cfg.batch,), generator=gen)
    t = torch.arange(cfg.window) / cfg.window
    freq = (6 + 7 * word).unsqueeze(1)
    phase = 6.28 * torch.rand(cfg.batch, 1, generator=gen)
    hum = 0.4 * torch.sin(6.28 * 2 * t + phase)
    wave = torch.sin(6.28 * freq * t + phase) + hum + 0.5 * torch.randn(cfg.batch, cfg.window, generator=gen)
    return wave, word


class Session:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Spotter(cfg)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.gen = torch.Generator().manual_seed(77)

    def update(self):
        wave, word = utterances(self.cfg, self.gen)
        loss = F.cross_entropy(self.model(wave), word)
        self.opt.zero_grad()
        # frontend state is shared between updates
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def score(self):
        self.model.eval()
        wave, word = utterances(self.cfg, self.gen)
        hit = (self.model(wave).argmax(1) == word).float().mean().item()
        self.model.train()
        return hit


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    s = Session(Cfg())
    for i in range(s.cfg.updates):
        loss = s.update()
        if (i + 1) % 25 == 0:
            print(f"{i + 1:4d} loss {loss:.3f} hit rate {s.score():.2f}")


if __name__ == "__main__":
    main()
