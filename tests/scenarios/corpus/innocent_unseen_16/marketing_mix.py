# gradwatch-corpus: kind=none
"""Media-mix model with adstock and saturation curves, fitted jointly for all regions with one step per week of data.

Regions are summed into one objective; the previous week's fit stays at hand for the change report.
"""
import math

import torch
from torch import nn

CHANNELS = ["tv", "search", "social", "print", "radio"]
REGIONS = {"north": 0.9, "south": 1.2, "east": 1.0, "west": 1.1}
LAGS = 8

_gen = torch.Generator().manual_seed(13)
_last = {}
_log = []


def simulate(scale, weeks=40):
    spend = torch.rand(weeks + LAGS, len(CHANNELS), generator=_gen) * scale
    decay = torch.tensor([0.7, 0.1, 0.3, 0.5, 0.4])
    effect = torch.tensor([1.2, 0.8, 0.6, 0.1, 0.3])
    kernel = decay.unsqueeze(1) ** torch.arange(LAGS)
    stocked = torch.stack([(spend[w:w + LAGS].flip(0).t() * kernel).sum(1) for w in range(weeks)])
    season = 0.3 * torch.sin(2 * math.pi * torch.arange(weeks) / 52)
    sales = (effect * (1 - torch.exp(-stocked))).sum(1) + season + 2 * scale
    windows = spend.unfold(0, LAGS, 1)[:weeks]
    return windows, season, sales + 0.05 * torch.randn(weeks, generator=_gen)


class MediaMix(nn.Module):
    def __init__(self):
        super().__init__()
        n = len(CHANNELS)
        self.decay = nn.Parameter(torch.zeros(n))
        self.effect = nn.Parameter(torch.full((n,), -0.5))
        self.halfway = nn.Parameter(torch.zeros(n))
        self.season = nn.Parameter(torch.tensor(0.0))
        self.base = nn.ParameterDict({r: nn.Parameter(torch.tensor(1.0)) for r in REGIONS})

    def contributions(self, windows):
        kernel = torch.sigmoid(self.decay).unsqueeze(1) ** torch.arange(LAGS - 1, -1, -1)
        stocked = (windows * kernel).sum(-1)
        return self.effect.exp() * (1 - torch.exp(-stocked * self.halfway.exp()))

    def forward(self, region, windows, season):
        parts = self.contributions(windows)
        return parts.sum(1) + self.season * season + self.base[region], parts


def fit_week(model, optim):
    total = 0
    shares = {}
    for region, scale in REGIONS.items():
        windows, season, sales = simulate(scale)
        guess, parts = model(region, windows, season)
        total = total + (guess - sales).pow(2).mean()
        shares[region] = parts.mean(0)
    prior = 1e-3 * sum(p.pow(2).sum() for p in (model.decay, model.effect, model.halfway))
    total = total + prior
    optim.zero_grad()
    total.backward()
    optim.step()
    change = compare(shares)
    _log.append((total.item(), change))


def compare(shares):
    """Largest change of any channel's contribution since the last week."""
    change = 0.0
    for region, now in shares.items():
        before = _last.get(region)
        if before is not None:
            change = max(change, float((now - before).abs().max()))
        _last[region] = now.detach()
    return change


def main(weeks=250):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = MediaMix()
    optim = torch.optim.Adam(model.parameters(), lr=0.03)
    for week in range(weeks):
        fit_week(model, optim)
        if (week + 1) % 50 == 0:
            loss = sum(v for v, _ in _log[-50:]) / 50
            print(f"week {week + 1}: loss {loss:.4f}, largest change {_log[-1][1]:.4f}")
    with torch.no_grad():
        effects = model.effect.exp().tolist()
    print({c: round(e, 2) for c, e in zip(CHANNELS, effects)})


if __name__ == "__main__":
    main()
