# gradwatch-corpus: kind=graph-held
# holder: self.tree.leaves | self.leaves | memory.tree.leaves | self.memory.tree.leaves | agent.memory.tree.leaves | tree.leaves | memory | self.memory | agent.memory | leaves
# first-bad: 1
# notice: 8
# after: Kaixhin/Rainbow PR #33 "Improve the replay memory to avoid storing the autograd graphs in it"
"""Elevator dispatching with a dueling Q network and proportional prioritized replay (sum of leaves)."""
import dataclasses
import random

import torch
import torch.nn.functional as F
from torch import nn

FLOORS, ACTIONS = 10, 3


@dataclasses.dataclass(slots=True)
class Transition:
    state: torch.Tensor
    action: int
    reward: float
    after: torch.Tensor


class Building:
    """One car; passengers appear at random floors."""

    def __init__(self, rng):
        self.rng = rng
        self.car, self.calls = 0, [0] * FLOORS

    def observe(self):
        place = F.one_hot(torch.tensor(self.car), FLOORS).float()
        return torch.cat([place, torch.tensor(self.calls, dtype=torch.float32)])

    def act(self, action):
        reward = -0.1 * sum(self.calls)
        if action == 2:
            reward += 2.0 * self.calls[self.car]
            self.calls[self.car] = 0
        else:
            self.car = max(0, min(FLOORS - 1, self.car + (1 if action == 1 else -1)))
        if self.rng.random() < 0.5:
            self.calls[self.rng.randrange(FLOORS)] = 1
        return reward


class SumLeaves:
    def __init__(self):
        self.leaves = {}

    def __setitem__(self, slot, priority):
        self.leaves[slot] = priority  # <- culprit

    def draw(self, n, rng):
        slots = list(self.leaves)
        weights = [float(self.leaves[s]) + 1e-3 for s in slots]
        return rng.choices(slots, weights=weights, k=n)


class PrioritizedMemory:
    def __init__(self, capacity):
        self.capacity, self.items, self.cursor = capacity, {}, 0
        self.tree = SumLeaves()

    def push(self, transition):
        slot = self.cursor % self.capacity
        self.items[slot] = transition
        self.tree[slot] = 5.0
        self.cursor += 1

    def sample(self, n, rng):
        slots = self.tree.draw(n, rng)
        return slots, [self.items[s] for s in slots]

    def feedback(self, slots, priorities):
        for slot, priority in zip(slots, priorities):
            self.tree[slot] = priority


class Dueling(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * FLOORS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value, self.advantage = nn.Linear(width, 1), nn.Linear(width, ACTIONS)

    def forward(self, s):
        h = self.body(s)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


class Dispatcher:
    def __init__(self, memory, rng):
        self.memory, self.rng = memory, rng
        self.online, self.target = Dueling(), Dueling()
        self.sync()
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=1e-3)

    def sync(self):
        self.target.load_state_dict(self.online.state_dict())

    @torch.no_grad()
    def choose(self, state, eps):
        if self.rng.random() < eps:
            return self.rng.randrange(ACTIONS)
        return int(self.online(state).argmax())

    def errors(self, batch):
        s, s2 = torch.stack([t.state for t in batch]), torch.stack([t.after for t in batch])
        a = torch.tensor([t.action for t in batch])
        r = torch.tensor([t.reward for t in batch])
        with torch.no_grad():
            best = self.online(s2).argmax(-1, keepdim=True)
            goal = r + 0.95 * self.target(s2).gather(1, best).squeeze(1)
        return goal - self.online(s).gather(1, a[:, None]).squeeze(1)

    def learn(self, n=16):
        slots, batch = self.memory.sample(n, self.rng)
        td = self.errors(batch)
        loss = F.huber_loss(td, torch.zeros_like(td))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.memory.feedback(slots, td.abs())  # <- culprit
        return loss.item()


def main():
    torch.manual_seed(1)
    rng = random.Random(1)
    house, memory = Building(rng), PrioritizedMemory(4000)
    agent = Dispatcher(memory, rng)
    total = 0.0
    for tick in range(900):
        state = house.observe()
        action = agent.choose(state, eps=max(0.1, 1 - tick / 600))
        reward = house.act(action)
        memory.push(Transition(state, action, reward, house.observe()))
        total += reward
        if tick >= 300 and tick % 6 == 0:
            value = agent.learn()
            if tick % 150 == 0:
                agent.sync()
                print(f"tick {tick} huber {value:.4f} return {total:.1f}")


if __name__ == "__main__":
    main()
