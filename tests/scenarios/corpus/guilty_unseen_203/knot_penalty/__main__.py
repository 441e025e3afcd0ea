# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Fits demand curves with a smoothness penalty on the spline layer."""
import torch

from .penalty import Smoothness
from .spline import SplineNet


def demand(n, gen):
    price = torch.rand(n, 1, generator=gen)
    season = torch.randint(0, 4, (n,), generator=gen)
    q = 2 - 1.5 * price.squeeze(1) ** 2 + 0.3 * torch.sin(season.float() * 1.57)
    return price, season, q + 0.05 * torch.randn(n, generator=gen)


def main(steps=500, refresh=10):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    net = SplineNet(knots=12)
    smooth = Smoothness(net, weight=0.05, refresh=refresh)
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    for step in range(steps):
        price, season, q = demand(64, gen)
        fit = torch.nn.functional.mse_loss(net(price, season), q)
        loss = fit + smooth(step)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"{step} fit {fit.item():.4f}")


if __name__ == "__main__":
    main()
