# gradwatch-corpus: kind=memory-climb
# holder: audit | self.audit | job.audit
# first-bad: 1
"""Denoising of seismic gathers with a small conv net. A second view on the same stream serves for a spot check of the generator's amplitudes."""
import itertools
import statistics
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Survey:
    traces: int = 48
    samples: int = 400
    batch: int = 8
    seed: int = 77


def gathers(sv):
    """Endless synthetic shot gathers: hyperbolic events plus noise."""
    g = torch.Generator().manual_seed(sv.seed)
    off = torch.linspace(0, 1, sv.traces)[:, None]
    tt = torch.linspace(0, 1, sv.samples)[None, :]
    while True:
        t0 = torch.rand(sv.batch, 1, 1, generator=g) * 0.6 + 0.1
        v = torch.rand(sv.batch, 1, 1, generator=g) + 0.8
        arrival = (t0.pow(2) + (off / v).pow(2)).sqrt()
        clean = torch.exp(-((tt - arrival) * 60).pow(2))
        yield {"shot": clean + 0.3 * torch.randn(clean.shape, generator=g), "clean": clean}


class Denoiser(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.down = nn.Conv2d(1, ch, (3, 9), stride=(2, 4), padding=(1, 4))
        self.mid = nn.Conv2d(ch, ch, 3, padding=1)
        self.up = nn.ConvTranspose2d(ch, 1, (4, 8), stride=(2, 4), padding=(1, 2))

    def forward(self, x):
        h = torch.relu(self.down(x.unsqueeze(1)))
        return self.up(torch.relu(self.mid(h)) + h).squeeze(1)


class Job:
    def __init__(self, sv):
        self.feed, self.audit = itertools.tee(gathers(sv))  # <- culprit
        self.net = Denoiser()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.peaks = []

    def spot_check(self):
        g = next(self.audit)
        self.peaks.append(g["shot"].abs().max().item())

    def go(self, n):
        run = 0.0
        for i, g in enumerate(itertools.islice(self.feed, n)):
            err = (self.net(g["shot"]) - g["clean"]).pow(2).mean()
            self.opt.zero_grad()
            err.backward()
            self.opt.step()
            run += err.item()
            if i % 30 == 29:
                self.spot_check()
                print(f"batch {i + 1}: mse {run / 30:.5f}  peak {statistics.mean(self.peaks):.2f}")
                run = 0.0


if __name__ == "__main__":
    torch.manual_seed(0)
    job = Job(Survey())
    job.go(330)
