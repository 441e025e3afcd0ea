# gradwatch-corpus: kind=none
import collections
import functools
import random

import torch
from torch import nn
import torch.nn.functional as F


class Bus:
    """Queues events during a tick and hands them out at its end."""

    def __init__(self):
        self.queue = collections.deque()
        self.handlers = collections.defaultdict(list)

    def on(self, topic):
        def wrap(handler):
            self.handlers[topic].append(handler)
            return handler

        return wrap

    def emit(self, topic, payload):
        self.queue.append((topic, payload))

    def drain(self):
        while self.queue:
            topic, payload = self.queue.popleft()
            for handler in self.handlers[topic]:
                handler(payload)


class TwoJointArm:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.angles = torch.zeros(2)

    def move(self, torque):
        drift = 0.01 * torch.randn(2, generator=self.gen)
        pull = 0.2 * torch.sin(self.angles.flip(0))
        self.angles = self.angles + 0.3 * torque - 0.1 * pull + drift
        return self.angles.clone()


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 48), nn.SiLU(), nn.Linear(48, 2))

    def forward(self, angles, torque):
        features = torch.cat([angles.sin(), angles.cos(), torque], dim=-1)
        return angles + self.net(features)


class DreamPlanner:
    """Gradient planning through the learned model, warm started."""

    def __init__(self, model, horizon, bus):
        self.model = model
        self.horizon = horizon
        self.bus = bus
        self.plan = torch.zeros(horizon, 2)

    def rollout_cost(self, plan, angles, goal):
        cost = 0.01 * plan.pow(2).sum()
        for torque in plan:
            angles = self.model(angles, torque)
            cost = cost + (angles - goal).pow(2).sum() / self.horizon
        return cost

    def refine(self, angles, goal, turns=2):
        plan = self.plan
        for _ in range(turns):
            plan = plan.detach().requires_grad_(True)
            cost = self.rollout_cost(plan, angles, goal)
            (slope,) = torch.autograd.grad(cost, plan)
            plan = (plan - 0.3 * slope).clamp(-1, 1)
        self.plan = torch.cat([plan[1:], plan[-1:]]).detach()
        self.bus.emit("planned", cost)
        return plan[0].detach()


class ModelLearner:
    def __init__(self, model, bus, rng):
        self.model = model
        self.bus = bus
        self.rng = rng
        self.memory = collections.deque(maxlen=300)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    def remember(self, before, torque, after):
        self.memory.append((before, torque, after))

    def learn(self, size):
        rows = self.rng.sample(list(self.memory), min(size, len(self.memory)))
        before, torque, after = map(torch.stack, zip(*rows))
        loss = F.mse_loss(self.model(before, torque), after)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.bus.emit("learned", loss)


def ema(store, name, value):
    store[name] = 0.9 * store.get(name, 0.0) + 0.1 * value.item()


def main():
    torch.manual_seed(91)
    bus = Bus()
    stats = {}
    for topic in ("planned", "learned"):
        bus.on(topic)(functools.partial(ema, stats, topic))
    model = WorldModel()
    arm = TwoJointArm(seed=91)
    planner = DreamPlanner(model, horizon=8, bus=bus)
    learner = ModelLearner(model, bus, random.Random(91))
    goal = torch.tensor([0.8, -0.5])
    for tick in range(150):
        before = arm.angles.clone()
        torque = planner.refine(before, goal)
        torque = torque + 0.1 * torch.randn(2)
        after = arm.move(torque)
        learner.remember(before, torque, after)
        learner.learn(32)
        bus.drain()
        if tick % 50 == 0:
            print(tick, {name: round(v, 5) for name, v in stats.items()})
    print("gap", round((arm.angles - goal).norm().item(), 3))


if __name__ == "__main__":
    main()
