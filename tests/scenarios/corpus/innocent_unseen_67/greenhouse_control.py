# gradwatch-corpus: kind=none
"""Ventilation of a greenhouse: a controller and a model of the house, learned in turns.

Units are converted in place, weights are kept in range in place, and each of
the two networks has its optimizer.
"""
import itertools
from contextlib import contextmanager

import torch
from torch import nn

torch.set_num_threads(1)

LOW, HIGH = 5.0, 40.0


def to_celsius(unit):
    values = unit.detach().clone()
    return values.mul_(HIGH - LOW).add_(LOW)


def net(n_in, n_out, *, positive=False):
    layers = [nn.Linear(n_in, 24), nn.Tanh(), nn.Linear(24, n_out)]
    return nn.Sequential(*layers, nn.Sigmoid()) if positive else nn.Sequential(*layers)


class BoundedWeights:
    """Clamps parameters as soon as their optimizer has stepped."""

    def __init__(self, bound):
        self.bound = bound

    def __call__(self, optimizer, args, kwargs):
        with torch.no_grad():
            for group in optimizer.param_groups:
                for p in group["params"]:
                    p.clamp_(-self.bound, self.bound)


class Player:
    def __init__(self, model, lr, bound):
        self.model = model
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.optimizer.register_step_post_hook(BoundedWeights(bound))
        self.errors = []

    @contextmanager
    def turn(self):
        """Step on leaving the block."""
        self.optimizer.zero_grad()
        yield self
        self.optimizer.step()

    def learn(self, loss):
        loss.backward(inputs=list(self.model.parameters()))
        self.errors.append(loss.item())

    def __call__(self, *parts):
        return self.model(torch.cat(parts, dim=1))


class Greenhouse:
    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.warm = torch.rand(n, 1, generator=gen)

    def weather(self):
        return torch.rand(self.n, 2, generator=self.gen)

    def react(self, weather, vent):
        sun, outside = weather.split(1, dim=1)
        rise = 0.25 * sun * (1 - vent) - 0.4 * vent * (self.warm - outside)
        self.warm = (self.warm + rise).clamp_(0, 1)
        return self.warm


def main(hours=240):
    torch.manual_seed(3)
    house = Greenhouse(32, torch.Generator().manual_seed(3))
    physics = Player(net(4, 1), lr=3e-3, bound=2.0)
    control = Player(net(3, 1, positive=True), lr=2e-3, bound=2.0)
    log = []
    for hour in itertools.count(1):
        weather, before = house.weather(), house.warm.clone()
        vent = control(before, weather)
        actual = house.react(weather, vent.detach())
        expected = physics(before, weather, vent.detach())
        with physics.turn() as p:
            p.learn((before + expected - actual).square().mean())
        planned = before + physics(before, weather, vent)
        with control.turn() as c:
            comfort = (planned - 0.55).square().mean()
            effort = vent.mean()
            effort.mul_(0.02)
            c.learn(comfort + effort)
        log.append(to_celsius(planned).mean().item())
        if hour % 48 == 0:
            print(f"hour {hour}: model error {physics.errors[-1]:.5f} comfort {control.errors[-1]:.4f} mean {log[-1]:.1f} C")
        if hour == hours:
            break


if __name__ == "__main__":
    main()
