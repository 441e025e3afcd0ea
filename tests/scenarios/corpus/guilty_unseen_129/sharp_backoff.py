# gradwatch-corpus: kind=second-backward
# holder: outcome.loss | first.loss | first | loss
# first-bad: 27
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)


@dataclass
class Pass:
    loss: torch.Tensor
    norm: float


class SharpnessAware:
    def __init__(self, model, base, rho, spike):
        self.model, self.base = model, base
        self.rho, self.spike = rho, spike
        self.params = [p for p in model.parameters() if p.requires_grad]

    def _norm(self):
        return torch.stack([p.grad.norm() for p in self.params]).norm().item()

    @torch.no_grad()
    def _shift(self, scale):
        moves = [p.grad * scale for p in self.params]
        for p, m in zip(self.params, moves):
            p.add_(m)
        return moves

    @torch.no_grad()
    def _unshift(self, moves):
        for p, m in zip(self.params, moves):
            p.sub_(m)

    def _pass(self, closure):
        self.base.zero_grad()
        loss = closure()
        loss.backward()
        return Pass(loss, self._norm())

    def step(self, closure):
        first = self._pass(closure)
        moves = self._shift(self.rho / (first.norm + 1e-9))
        second = self._pass(closure)
        self._unshift(moves)
        if second.norm > self.spike:
            self.plain(first)
        self.base.step()
        return first.loss.item()

    def plain(self, outcome):
        self.base.zero_grad()
        outcome.loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(self.params, 1.0)


class Turbine(nn.Module):
    def __init__(self):
        super().__init__()
        self.blades = nn.Sequential(nn.Linear(6, 16), nn.ELU(), nn.Linear(16, 1))

    def forward(self, wind):
        return self.blades(wind).squeeze(1)


class WindFarm:
    def __init__(self, gust_every):
        self.gust_every, self.n = gust_every, 0

    def read(self):
        wind = torch.randn(24, 6)
        power = wind[:, 0].clamp(min=0) * wind[:, 1].cos()
        self.n += 1
        if self.n % self.gust_every == 0:
            power = power * 500
        return wind, power


def main():
    net, farm = Turbine(), WindFarm(28)
    opt = SharpnessAware(net, torch.optim.SGD(net.parameters(), lr=0.02), rho=0.05, spike=60.0)
    for _ in range(500):
        wind, power = farm.read()
        last = opt.step(lambda: (net(wind) - power).square().mean())
    print(last)


main()
