# gradwatch-corpus: kind=graph-held
# holder: self.shelf | memory.shelf | self.memory.shelf | dispatcher.memory.shelf
# first-bad: 1
"""Dispatching three lifts in an office tower with double Q-learning and a surprise-ranked memory."""
import copy
import random
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Ride:
    hall: torch.Tensor
    car: int
    wait: float
    hall_next: torch.Tensor
    surprise: torch.Tensor


class RideMemory:
    def __init__(self, capacity=4000, sharpness=0.6):
        self.shelf = deque(maxlen=capacity)
        self.sharpness = sharpness

    def __len__(self):
        return len(self.shelf)

    def store(self, ride):
        self.shelf.append(ride)  # <- culprit

    def draw(self, n, rng):
        weights = [abs(r.surprise.item()) ** self.sharpness + 1e-3 for r in self.shelf]
        picked = rng.choices(self.shelf, weights=weights, k=n)
        hall = torch.stack([r.hall for r in picked])
        car = torch.tensor([r.car for r in picked])
        wait = torch.tensor([r.wait for r in picked])
        hall_next = torch.stack([r.hall_next for r in picked])
        return hall, car, wait, hall_next


class Tower:
    floors = 10
    cars = 3

    def __init__(self, rng):
        self.rng = rng
        self.pos = [0, 4, 9]
        self.call = 5

    def view(self):
        v = torch.zeros(self.cars + 1)
        for i, p in enumerate(self.pos):
            v[i] = p / self.floors
        v[-1] = self.call / self.floors
        return v

    def dispatch(self, car):
        wait = abs(self.pos[car] - self.call)
        self.pos[car] = self.rng.randrange(self.floors)
        self.call = self.rng.choice([0, 0, 0] + list(range(self.floors)))
        return -wait / self.floors


class Dispatcher:
    gamma = 0.9

    def __init__(self, seed=8):
        torch.manual_seed(seed)
        self.rng = random.Random(seed)
        self.tower = Tower(self.rng)
        self.q = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
        self.q_lag = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.memory = RideMemory()

    def target(self, wait, hall_next):
        with torch.no_grad():
            best = self.q(hall_next).argmax(-1, keepdim=True)
            ahead = self.q_lag(hall_next).gather(-1, best).squeeze(-1)
        return wait + self.gamma * ahead

    def serve(self, epsilon):
        hall = self.tower.view()
        values = self.q(hall)  # <- culprit
        car = self.rng.randrange(3) if self.rng.random() < epsilon else int(values.argmax())
        wait = self.tower.dispatch(car)
        hall_next = self.tower.view()
        surprise = self.target(wait, hall_next) - values[car]  # <- culprit
        self.memory.store(Ride(hall, car, wait, hall_next, surprise))
        return wait

    def learn(self, n=32):
        hall, car, wait, hall_next = self.memory.draw(n, self.rng)
        chosen = self.q(hall).gather(-1, car[:, None]).squeeze(-1)
        loss = nn.functional.smooth_l1_loss(chosen, self.target(wait, hall_next))
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 5.0)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def sync(self, tau=0.02):
        for lag, p in zip(self.q_lag.parameters(), self.q.parameters()):
            lag.lerp_(p, tau)


def main():
    dispatcher = Dispatcher()
    waits = deque(maxlen=100)
    for tick in range(180):
        for _ in range(4):
            waits.append(dispatcher.serve(max(0.05, 1 - tick / 90)))
        loss = dispatcher.learn()
        dispatcher.sync()
        if tick % 30 == 0:
            print(f"tick {tick:3d} loss {loss:.4f} mean wait {-sum(waits) / len(waits):.3f} n={len(dispatcher.memory)}")


if __name__ == "__main__":
    main()
