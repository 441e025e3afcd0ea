# gradwatch-corpus: kind=graph-chain
# holder: offset | smooth
# first-bad: 1
"""Hourly demand counts: Poisson regression with an adaptive level offset."""
from contextlib import contextmanager
from pathlib import Path
import csv
import tempfile
import time

import torch
from torch import nn

HOURS = 24
SITES = 12


def simulate(hours: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    base = torch.randn(SITES, generator=g) * 0.3 + 1.0
    level = torch.zeros(SITES)
    for h in range(hours):
        level = 0.98 * level + 0.05 * torch.randn(SITES, generator=g)
        phase = 2 * torch.pi * (h % HOURS) / HOURS
        season = 0.5 * torch.sin(torch.tensor(phase))
        weather = torch.randn(SITES, 6, generator=g)
        rate = (base + level + season + 0.2 * weather[:, 0] - 0.1 * weather[:, 3]).exp()
        yield h, weather, torch.poisson(rate, generator=g)


class DemandModel(nn.Module):
    def __init__(self, features: int = 6):
        super().__init__()
        self.site = nn.Embedding(SITES, 1)
        self.hour = nn.Embedding(HOURS, 1)
        self.beta = nn.Linear(features, 1)
        nn.init.zeros_(self.site.weight)
        nn.init.zeros_(self.hour.weight)

    def forward(self, hour: int, weather: torch.Tensor) -> torch.Tensor:
        idx = torch.arange(SITES)
        hod = torch.full((SITES,), hour % HOURS)
        return (self.site(idx) + self.hour(hod) + self.beta(weather)).squeeze(-1)


@contextmanager
def csv_sink(path: Path):
    with path.open("w", newline="") as fh:
        writer = csv.writer(fh)
        writer.writerow(["hour", "nll", "seconds"])
        yield writer


def run(out: Path, hours: int = 480, gain: float = 0.1) -> None:
    torch.manual_seed(1)
    model = DemandModel()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    criterion = nn.PoissonNLLLoss(log_input=True)
    offset = torch.zeros(SITES)

    with csv_sink(out) as sink:
        for h, weather, count in simulate(hours, seed=21):
            tic = time.perf_counter()
            log_rate = model(h, weather)
            nll = criterion(log_rate + offset, count)

            optimizer.zero_grad()
            nll.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()

            surprise = torch.log1p(count) - log_rate
            smooth = (1 - gain) * offset + gain * surprise  # <- culprit
            offset = smooth - smooth.mean()  # <- culprit
            sink.writerow([h, f"{nll.item():.5f}", f"{time.perf_counter() - tic:.5f}"])
            if h % 96 == 0:
                print(f"hour {h:4d}  nll {nll.item():.4f}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        run(Path(tmp) / "demand.csv")
