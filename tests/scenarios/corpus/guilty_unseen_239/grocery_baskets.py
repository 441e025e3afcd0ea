# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
import contextlib
from dataclasses import dataclass
from typing import Generator

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Curriculum:
    warmup: int = 30
    cap: float = 6.0
    steps: int = 120


@dataclass
class Basket:
    calendar: Tensor
    lags: Tensor
    units: Tensor
    in_stock: Tensor


def baskets(steps: int, skus: int = 40, lags: int = 14) -> Generator[Basket, None, None]:
    popularity = torch.rand(skus, 1) * 3
    for _ in range(steps):
        calendar = torch.randn(skus, 4)
        history = torch.poisson(popularity.expand(-1, lags))
        rate = popularity.squeeze(1) * torch.exp(0.2 * calendar[:, 0])
        in_stock = torch.rand(skus) > 0.15
        yield Basket(calendar, history, torch.poisson(rate), in_stock)


class CountForecaster(nn.Module):
    """Poisson rate from lagged sales and calendar effects."""

    def __init__(self, lags: int, calendar: int, hidden: int):
        super().__init__()
        self.lag_net = nn.Sequential(nn.Linear(lags, hidden), nn.Softplus())
        self.cal_net = nn.Sequential(nn.Linear(calendar, hidden), nn.Tanh())
        self.out = nn.Linear(2 * hidden, 1)
        self.cap = None

    @contextlib.contextmanager
    def capped(self, value):
        before = self.cap
        self.cap = value
        try:
            yield self
        finally:
            self.cap = before

    def forward(self, basket: Basket) -> Tensor:
        z = torch.cat([self.lag_net(basket.lags), self.cal_net(basket.calendar)], dim=-1)
        rate = torch.exp(self.out(z).squeeze(-1))
        if self.cap is not None:
            rate.clamp_(max=self.cap)  # <- culprit
        return rate


def poisson_nll(rate: Tensor, units: Tensor, in_stock: Tensor) -> Tensor:
    nll = rate - units * torch.log(rate + 1e-6)
    return nll[in_stock].mean()


def train(model: CountForecaster, plan: Curriculum) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    window = []
    for step, basket in enumerate(baskets(plan.steps)):
        cap = plan.cap if step >= plan.warmup else None
        with model.capped(cap):
            rate = model(basket)
        loss = poisson_nll(rate, basket.units, basket.in_stock)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        window.append(loss.item())
        if len(window) == 15:
            print(f"through step {step}: nll {sum(window) / len(window):.4f}")
            window.clear()


if __name__ == "__main__":
    torch.manual_seed(1999)
    train(CountForecaster(lags=14, calendar=4, hidden=16), Curriculum())
