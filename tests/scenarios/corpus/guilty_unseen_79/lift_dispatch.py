# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents | err
# first-bad: 1
# notice: 20
"""Assign hall calls to lift cars; soft assignments trained on expected waiting time."""
from __future__ import annotations

import argparse
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Shift:
    floors: int = 12
    cars: int = 4
    calls: int = 16
    capacity: float = 5.0
    seed: int = 23


class Overload(Exception):
    def __init__(self, car: int, excess: float):
        super().__init__(f"car {car} over by {excess:.2f} riders")
        self.car, self.excess = car, excess


class Building:
    def __init__(self, cfg: Shift):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)

    def rush(self):
        c = self.cfg
        at = torch.randint(0, c.floors, (c.calls,), generator=self.gen).float()
        to = torch.randint(0, c.floors, (c.calls,), generator=self.gen).float()
        cars = torch.randint(0, c.floors, (c.cars,), generator=self.gen).float()
        riders = 1.0 + torch.poisson(torch.full((c.calls,), 0.15), generator=self.gen)
        return at, to, cars, riders


class Dispatcher(nn.Module):
    def __init__(self, cfg: Shift):
        super().__init__()
        self.floors = cfg.floors
        self.pair = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, at, to, cars, riders):
        n, m = at.numel(), cars.numel()
        feats = torch.stack([
            (at[:, None] - cars[None]).abs() / self.floors,
            ((to - at) / self.floors)[:, None].expand(n, m),
            cars[None].expand(n, m) / self.floors,
            riders[:, None].expand(n, m),
        ], dim=-1)
        return self.pair(feats).squeeze(-1).softmax(dim=1)


def inspect(loads: torch.Tensor, capacity: float) -> None:
    """Raises if any car would be too full."""
    worst, car = loads.detach().max(dim=0)
    if worst > capacity:
        raise Overload(int(car), float(worst) - capacity)


class Callback:
    def on_fit_start(self, trainer): ...
    def on_step_end(self, trainer): ...
    def on_fit_end(self, trainer): ...


class Console(Callback):
    def on_step_end(self, trainer):
        if trainer.step % 30 == 0:
            print(f"{trainer.step:4d} wait {trainer.last_wait:.3f}")


class SafetyReport(Callback):
    def on_fit_end(self, trainer):
        worst = max(trainer.incidents, key=lambda e: e.excess, default=None)
        print(f"{len(trainer.incidents)} overloads; worst: {worst}")


class Trainer:
    def __init__(self, policy, building, cfg, callbacks):
        self.policy, self.building, self.cfg = policy, building, cfg
        self.callbacks = callbacks
        self.opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
        self.incidents: list[Overload] = []
        self.step, self.last_wait = 0, 0.0

    def notify(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def training_step(self):
        at, to, cars, riders = self.building.rush()
        plan = self.policy(at, to, cars, riders)
        travel = (at[:, None] - cars[None]).abs() / self.cfg.floors
        wait = (plan * travel * riders[:, None]).sum() / riders.sum()
        loads = riders @ plan
        surcharge = 0.0
        try:
            inspect(loads, self.cfg.capacity)
        except Overload as err:
            self.incidents.append(err)  # <- culprit
            surcharge = err.excess
        loss = wait + (0.02 + 0.01 * surcharge) * loads.var()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return wait.item()

    def fit(self, steps):
        self.notify("on_fit_start")
        for self.step in range(steps):
            self.last_wait = self.training_step()
            self.notify("on_step_end")
        self.notify("on_fit_end")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=180)
    args = ap.parse_args()
    cfg = Shift()
    torch.manual_seed(cfg.seed)
    trainer = Trainer(Dispatcher(cfg), Building(cfg), cfg, [Console(), SafetyReport()])
    trainer.fit(args.steps)
