# gradwatch-corpus: kind=none
"""Three-step double DQN for a lift that serves five floors.
The priorities live in the replay, one number per slot, refreshed from each batch's errors."""
import copy
import random
from collections import deque

import torch
from torch import nn


class Lift:
    FLOORS = 5

    def __init__(self, rng):
        self.rng = rng
        self.reset()

    def reset(self):
        self.floor = 0
        self.calls = [False] * self.FLOORS
        self.clock = 0

    def observe(self):
        here = [float(i == self.floor) for i in range(self.FLOORS)]
        return torch.tensor(here + [float(c) for c in self.calls])

    def step(self, action):
        self.clock += 1
        reward = -0.1 * sum(self.calls)
        if action == 0 and self.calls[self.floor]:
            self.calls[self.floor] = False
            reward += 1.0
        elif action == 1:
            self.floor = min(self.floor + 1, self.FLOORS - 1)
        elif action == 2:
            self.floor = max(self.floor - 1, 0)
        if self.rng.random() < 0.3:
            self.calls[self.rng.randrange(self.FLOORS)] = True
        return reward, self.clock >= 60


class NStep:
    """Folds n rewards together before a transition goes to the replay."""

    def __init__(self, n, gamma):
        self.n, self.gamma = n, gamma
        self.pending = deque(maxlen=n)

    def feed(self, obs, action, reward, nxt, done):
        self.pending.append((obs, action, reward))
        if len(self.pending) == self.n:
            first_obs, first_action, _ = self.pending[0]
            total = sum(self.gamma ** k * r for k, (_, _, r) in enumerate(self.pending))
            yield first_obs, first_action, total, nxt, done
        if done:
            self.pending.clear()


class Replay:
    def __init__(self, capacity, width):
        self.capacity = capacity
        self.obs, self.nxt = torch.zeros(capacity, width), torch.zeros(capacity, width)
        self.action = torch.zeros(capacity, dtype=torch.long)
        self.reward, self.done, self.priority = (torch.zeros(capacity) for _ in range(3))
        self.written = 0

    def __len__(self):
        return min(self.written, self.capacity)

    def add(self, obs, action, reward, nxt, done):
        i = self.written % self.capacity
        self.obs[i], self.action[i], self.reward[i], self.nxt[i], self.done[i] = obs, action, reward, nxt, float(done)
        self.priority[i] = self.priority.max().clamp(min=1.0)
        self.written += 1

    def draw(self, n, alpha=0.6, beta=0.4):
        p = self.priority[: len(self)] ** alpha
        p = p / p.sum()
        rows = torch.multinomial(p, n, replacement=True)
        weight = (len(self) * p[rows]) ** -beta
        return rows, weight / weight.max()

    def refresh(self, rows, errors):
        self.priority[rows] = errors


class DoubleDQN:
    def __init__(self, width, actions, replay, gamma):
        self.online = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, actions))
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=1e-3)
        self.replay, self.gamma = replay, gamma
        self.td = None

    @torch.no_grad()
    def act(self, obs, epsilon, rng):
        return rng.randrange(3) if rng.random() < epsilon else int(self.online(obs).argmax())

    def update(self, n):
        rows, weight = self.replay.draw(n)
        r = self.replay
        with torch.no_grad():
            best = self.online(r.nxt[rows]).argmax(1, keepdim=True)
            goal = r.reward[rows] + self.gamma * (1 - r.done[rows]) * self.target(r.nxt[rows]).gather(1, best)[:, 0]
        q = self.online(r.obs[rows]).gather(1, r.action[rows, None])[:, 0]
        self.td = goal - q
        loss = (weight * self.td.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        r.refresh(rows, self.td.detach().abs() + 1e-2)
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.mul_(0.99).add_(fast, alpha=0.01)
        return loss.item()


def main(iterations=800):
    torch.manual_seed(35)
    torch.set_num_threads(1)
    rng = random.Random(36)
    lift, nstep, replay = Lift(rng), NStep(3, 0.95), Replay(1024, 10)
    agent = DoubleDQN(10, 3, replay, gamma=0.95 ** 3)
    scores, score = deque(maxlen=20), 0.0
    for it in range(iterations):
        for _ in range(4 if it else 80):
            obs = lift.observe()
            action = agent.act(obs, max(0.1, 1 - it / 300), rng)
            reward, done = lift.step(action)
            score += reward
            for row in nstep.feed(obs, action, reward, lift.observe(), done):
                replay.add(*row)
            if done:
                scores.append(score)
                score = 0.0
                lift.reset()
        loss = agent.update(32)
        if it % 160 == 0:
            print(f"{it:4d} loss {loss:.3f} score {sum(scores) / max(1, len(scores)):+.2f} replay {len(replay)}")


if __name__ == "__main__":
    main()
