# gradwatch-corpus: kind=none
"""Wind-farm power curve fit; metrics are gathered as tensors and written out
once per epoch, in buckets keyed by wind class."""
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class EpochBook:
    number: int = 0
    buckets: dict = field(default_factory=lambda: defaultdict(list))
    worst: torch.Tensor | None = None

    def enter(self, wind_class, loss):
        self.buckets[wind_class].append(loss)
        if self.worst is None or loss > self.worst:
            self.worst = loss

    def close(self):
        means = {k: torch.stack(v).mean() for k, v in sorted(self.buckets.items())}
        line = " ".join(f"{k}:{v.item():.4f}" for k, v in means.items())
        return f"epoch {self.number:2d} worst {self.worst.item():.4f} | {line}"


class PowerCurve(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 6)
        self.net = nn.Sequential(nn.Linear(9, 40), nn.ELU(), nn.Linear(40, 40), nn.ELU(), nn.Linear(40, 1))

    def forward(self, turbine, weather):
        z = torch.cat([self.embed(turbine), weather], dim=1)
        return torch.sigmoid(self.net(z)).squeeze(1)


def synth(n, gen):
    turbine = torch.randint(0, 12, (n,), generator=gen)
    speed = 3 + 17 * torch.rand(n, generator=gen)
    rho = 1.2 + 0.05 * torch.randn(n, generator=gen)
    yaw = 0.2 * torch.randn(n, generator=gen)
    power = torch.sigmoid((speed * yaw.cos() - 9) * rho / 1.5 + 0.1 * (turbine - 6))
    weather = torch.stack([(speed - 11) / 5, (rho - 1.2) * 20, yaw * 5], 1)
    return turbine, weather, power + 0.02 * torch.randn(n, generator=gen), speed


def classed(speed):
    return "low" if speed < 8 else "mid" if speed < 14 else "high"


def main(epochs=9, batch=48):
    torch.manual_seed(71)
    turbine, weather, power, speed = synth(3360, torch.Generator().manual_seed(72))
    order = speed.argsort()
    turbine, weather, power, speed = (t[order] for t in (turbine, weather, power, speed))
    model = PowerCurve()
    dense = torch.optim.Adam(model.net.parameters(), lr=2e-3)
    lookup = torch.optim.Adagrad(model.embed.parameters(), lr=0.05)
    book = EpochBook()
    for epoch in range(epochs):
        for i in torch.randperm(len(power) // batch).tolist():
            rows = slice(i * batch, (i + 1) * batch)
            loss = nn.functional.mse_loss(model(turbine[rows], weather[rows]), power[rows])
            for opt in (dense, lookup):
                opt.zero_grad()
            loss.backward()
            for opt in (dense, lookup):
                opt.step()
            book.enter(classed(speed[rows].mean()), loss)
        print(book.close())
        book = EpochBook(number=epoch + 1)


if __name__ == "__main__":
    main()
