# gradwatch-corpus: kind=none
"""Fit a two-mass thermal model of a building over a horizon that lengthens day by day,
re-solving with L-BFGS at each control instant."""
import math
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Snapshot:
    air: torch.Tensor
    wall: torch.Tensor
    hour: int = 0


class Building(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.tensor([-2.0, -1.5, -2.5, -1.0]))

    def rates(self):
        return torch.nn.functional.softplus(self.raw)

    def advance(self, now, outside, heat):
        leak, couple, slow, gain = self.rates()
        air = now.air + 0.5 * (leak * (outside - now.air) + couple * (now.wall - now.air) + gain * heat)
        wall = now.wall + 0.5 * slow * (now.air - now.wall)
        return replace(now, air=air, wall=wall, hour=now.hour + 1)


def rollout(model, start, outside, heat):
    state, temps = start, []
    for o, h in zip(outside, heat):
        state = model.advance(state, o, h)
        temps.append(state.air)
    return torch.stack(temps), state


def weather(hours, gen):
    t = torch.arange(hours).float()
    out = 5 + 4 * torch.sin(t * 2 * math.pi / 24) + 0.5 * torch.randn(hours, generator=gen)
    heat = (torch.rand(hours, generator=gen) < 0.5).float() * 6
    return out, heat


class Calibrator:
    def __init__(self, model, prior=1e-3):
        self.model, self.prior = model, prior
        self.opt = torch.optim.LBFGS(model.parameters(), max_iter=3, history_size=5,
                                     line_search_fn="strong_wolfe")
        self.anchor = None
        self.last_fit = None

    def solve(self, start, outside, heat, measured):
        calls, end = 0, start

        def closure():
            nonlocal calls, end
            self.opt.zero_grad()
            temps, end = rollout(self.model, start, outside, heat)
            loss = (temps - measured).pow(2).mean()
            if self.anchor is not None:
                loss = loss + self.prior * (self.model.raw - self.anchor).pow(2).sum()
            self.last_fit = loss
            loss.backward()
            calls += 1
            return loss

        self.opt.step(closure)
        self.anchor = self.model.raw.detach().clone()
        return calls, Snapshot(measured[-1], end.wall.detach(), end.hour)


def main(instants=150):
    torch.set_num_threads(1)
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(44)
    plant, model = Building(), Building()
    with torch.no_grad():
        plant.raw.copy_(torch.tensor([-1.6, -1.0, -2.0, -0.6]))
    cal = Calibrator(model)
    real = Snapshot(torch.tensor(18.0), torch.tensor(17.0))
    start = real
    for k in range(instants):
        hours = min(6 + k // 12, 16)
        outside, heat = weather(hours, gen)
        with torch.no_grad():
            temps, real = rollout(plant, real, outside, heat)
        measured = temps + 0.02 * torch.randn(hours, generator=gen)
        calls, start = cal.solve(start, outside, heat, measured)
        if k % 25 == 24:
            print(f"instant {k + 1:3d} horizon {hours:2d} closure calls {calls} "
                  f"fit {cal.last_fit.item():.5f} rates {[round(r, 3) for r in model.rates().tolist()]}")


if __name__ == "__main__":
    main()
