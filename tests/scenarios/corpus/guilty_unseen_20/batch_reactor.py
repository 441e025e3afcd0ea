# gradwatch-corpus: kind=graph-held
# holder: TagHistorian.tags["temperature"] | TagHistorian.tags["conversion"] | TagHistorian.tags[name] | TagHistorian.tags | cls.tags[name] | cls.tags | cls.tags["temperature"] | cls.tags["conversion"]
# first-bad: 1
"""Neural jacket-temperature controller for an exothermic batch reactor, tuned by
differentiating through a short explicit-Euler rollout of the plant."""
import math

import torch
from torch import nn

torch.manual_seed(11)

DT = 0.05
HORIZON = 8
BATCHES = 24


class TagHistorian:
    """Plant-wide trend store, one series per tag (same layout as the DCS export)."""

    tags: dict[str, list] = {}

    @classmethod
    def record(cls, name, value):
        cls.tags.setdefault(name, []).append(value)  # <- culprit

    @classmethod
    def trend(cls, name, last=40):
        series = cls.tags.get(name, [])[-last:]
        if not series:
            return math.nan
        return sum(float(v.mean()) for v in series) / len(series)


class PlantState:
    """State of the vessels; assignment of a trended tag goes to the historian as well."""

    TRENDED = frozenset({"temperature", "conversion"})

    def __init__(self, temperature, conversion):
        self.temperature = temperature
        self.conversion = conversion
        self.clock = 0.0

    def __setattr__(self, key, value):
        if key in self.TRENDED:
            TagHistorian.record(key, value)  # <- culprit
        super().__setattr__(key, value)


class Reactor:
    def __init__(self, k0=1.6, activation=2.2, heat=3.5, cooling=1.8):
        self.k0 = k0
        self.activation = activation
        self.heat = heat
        self.cooling = cooling

    def fresh_charge(self, n):
        return PlantState(
            temperature=0.9 + 0.2 * torch.rand(n, 1),
            conversion=0.05 * torch.rand(n, 1),
        )

    def advance(self, state, jacket):
        rate = self.k0 * torch.exp(-self.activation / state.temperature.clamp_min(0.3))
        rate = rate * (1.0 - state.conversion)
        d_temp = self.heat * rate - self.cooling * (state.temperature - jacket)
        state.temperature = state.temperature + DT * d_temp
        state.conversion = state.conversion + DT * rate
        state.clock += DT
        return state


class JacketController(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1)
        )

    def forward(self, state, target):
        features = torch.cat([state.temperature, state.conversion, target - state.temperature], dim=-1)
        return 0.4 + 0.8 * torch.sigmoid(self.body(features))


class Tuner:
    def __init__(self, plant, controller, lr=3e-3):
        self.plant = plant
        self.controller = controller
        self.optimizer = torch.optim.Adam(controller.parameters(), lr=lr)

    def rollout_cost(self):
        state = self.plant.fresh_charge(BATCHES)
        target = 1.05 + 0.1 * torch.rand(BATCHES, 1)
        cost = torch.zeros(())
        previous = None
        for _ in range(HORIZON):
            jacket = self.controller(state, target)
            state = self.plant.advance(state, jacket)
            cost = cost + (state.temperature - target).pow(2).mean()
            if previous is not None:
                cost = cost + 0.02 * (jacket - previous).pow(2).mean()
            previous = jacket
        return cost / HORIZON - 0.05 * state.conversion.mean()

    def tune_once(self):
        cost = self.rollout_cost()
        self.optimizer.zero_grad(set_to_none=True)
        cost.backward()
        nn.utils.clip_grad_norm_(self.controller.parameters(), 5.0)
        self.optimizer.step()
        return cost.item()


def main(iterations=240):
    tuner = Tuner(Reactor(), JacketController())
    for i in range(iterations):
        cost = tuner.tune_once()
        if i % 60 == 0:
            print(f"{i:4d} cost {cost:.5f}  T {TagHistorian.trend('temperature'):.3f}"
                  f"  X {TagHistorian.trend('conversion'):.3f}")
    print("final cost", round(cost, 5))


if __name__ == "__main__":
    main()
