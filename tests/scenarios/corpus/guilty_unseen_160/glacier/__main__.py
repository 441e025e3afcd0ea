# gradwatch-corpus: kind=graph-held
# holder: Measurement.registry | cls.registry | type(self).registry | registry
# first-bad: 1
# notice: 8
"""Mass balance of glaciers: a small physical model with learnable melt factors."""
import torch

from .balance import MeltModel
from .records import Measurement, summary


def season(gen, days=60, sites=48):
    temp = 4 * torch.sin(torch.linspace(0, 3.14, days)) + torch.randn(sites, days, generator=gen)
    snow = torch.rand(sites, days, generator=gen)
    truth = 0.45 * snow.sum(1) - 0.31 * torch.relu(temp - 0.6).sum(1)
    return temp, snow, truth + 0.2 * torch.randn(sites, generator=gen)


def main(seasons=160):
    torch.manual_seed(19)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(19)
    model = MeltModel()
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for year in range(seasons):
        temp, snow, observed = season(gen)
        balance = model(temp, snow)
        misfit = ((balance - observed) ** 2).mean()
        opt.zero_grad()
        misfit.backward()
        opt.step()
        entry = Measurement(year, balance.mean(), observed.mean())  # <- culprit
        if entry.gap() > 5:
            print(f"year {year}: far from the stakes, {entry.gap():.2f}")
        if year % 40 == 39:
            print(f"year {year + 1} misfit {misfit.item():.3f} {summary(last=10)}")
    print({name: round(p.item(), 3) for name, p in model.named_parameters()})


if __name__ == "__main__":
    main()
