# gradwatch-corpus: kind=graph-chain
# holder: storage | soil | ground | simulator | sim | basin.simulator | self.simulator
# first-bad: 1
# notice: 5
# after: isds-neu/PeRCNN #3 "training RNN using retain_graph=True" (slowing down, memory explosion)
"""Differentiable rainfall-runoff model (two buckets), calibrated window by window on one long record.

The simulator is a coroutine: it is sent the forcing of a window and gives back the discharge; the
water that is in the buckets at the end of a window is there at the start of the next one.
"""
import math
from collections import namedtuple

import torch
from torch import nn

Forcing = namedtuple("Forcing", "rain pet")
Reply = namedtuple("Reply", "discharge wetness")


class BasinParameters(nn.Module):
    RANGES = {"fast": (0.05, 0.9), "slow": (0.005, 0.1), "split": (0.1, 0.9), "evap": (0.2, 1.5)}

    def __init__(self, basins):
        super().__init__()
        self.raw = nn.ParameterDict({k: nn.Parameter(0.1 * torch.randn(basins)) for k in self.RANGES})

    def physical(self):
        out = {}
        for key, (lo, hi) in self.RANGES.items():
            out[key] = lo + (hi - lo) * torch.sigmoid(self.raw[key])
        return out


def bucket_model(parameters, basins):
    """Coroutine: send(Forcing) -> Reply. Keeps the storages between the calls."""
    soil = torch.full((basins,), 20.0)
    ground = torch.full((basins,), 60.0)
    reply = None
    while True:
        forcing = yield reply
        p = parameters.physical()
        flows = []
        for rain, pet in zip(forcing.rain, forcing.pet):
            dry = torch.tanh(soil / 40.0)
            soil = soil + rain - p["evap"] * pet * dry  # <- culprit
            quick = p["fast"] * torch.relu(soil - 15.0)
            leak = 0.08 * p["split"] * soil
            soil = soil - quick - leak
            base = p["slow"] * ground
            ground = ground + leak - base  # <- culprit
            flows.append(quick + base)
        reply = Reply(torch.stack(flows), soil.mean().item())


class Basin:
    def __init__(self, parameters, basins):
        self.simulator = bucket_model(parameters, basins)
        next(self.simulator)

    def __call__(self, forcing):
        return self.simulator.send(forcing)


def weather(days, basins, gen):
    """Endless record, cut in windows."""
    day = 0
    while True:
        wet = (torch.rand(days, basins, generator=gen) < 0.35).float()
        rain = wet * torch.empty(days, basins).exponential_(0.12, generator=gen)
        season = torch.tensor([1.0 + 0.6 * math.sin(2 * math.pi * (day + d) / 365) for d in range(days)])
        yield Forcing(rain, (2.0 * season)[:, None].expand(days, basins))
        day += days


def truth(basins):
    torch.manual_seed(99)
    hidden = BasinParameters(basins)
    with torch.no_grad():
        for v in hidden.raw.values():
            v.copy_(torch.randn_like(v))
    return Basin(hidden, basins)


def nse_loss(sim, obs):
    return ((sim - obs) ** 2).sum(0).div(((obs - obs.mean(0)) ** 2).sum(0) + 1.0).mean()


def calibrate(windows=70, days=10, basins=24):
    observed = truth(basins)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(5)
    parameters = BasinParameters(basins)
    sim = Basin(parameters, basins)
    optimizer = torch.optim.SGD(parameters.parameters(), lr=0.02, momentum=0.8)
    for number, forcing in zip(range(windows), weather(days, basins, gen)):
        with torch.no_grad():
            target = observed(forcing).discharge
        reply = sim(forcing)
        loss = nse_loss(reply.discharge, target)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(parameters.parameters(), 1.0)
        optimizer.step()
        if number % 10 == 0:
            print(f"window {number:3d} 1-NSE {loss.item():.3f} wet {reply.wetness:.1f}")


if __name__ == "__main__":
    calibrate()
