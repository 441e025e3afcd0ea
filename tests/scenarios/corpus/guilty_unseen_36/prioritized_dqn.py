# gradwatch-corpus: kind=graph-held
# holder: self.priority | replay.priority | self.replay.priority | agent.replay.priority
# first-bad: 1
import random
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

Step = namedtuple("Step", "s a r s2 done")


class Replay:
    """Proportional prioritisation over a fixed offline data set."""

    def __init__(self, steps, alpha=0.6):
        self.steps = steps
        self.alpha = alpha
        self.priority = dict.fromkeys(range(len(steps)), 1.0)

    def sample(self, n):
        weights = [(float(p) + 1e-3) ** self.alpha for p in self.priority.values()]
        idx = random.choices(range(len(self.steps)), weights, k=n)
        return idx, Step(*map(torch.stack, zip(*(self.steps[i] for i in idx))))

    def update(self, idx, errors):
        self.priority.update(zip(idx, errors))  # <- culprit


class Agent:
    def __init__(self, replay, n_obs=4, n_act=3, gamma=0.97, sync=25):
        build = lambda: nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.q, self.target = build(), build()
        self.target.load_state_dict(self.q.state_dict())
        self.target.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.replay, self.gamma, self.sync = replay, gamma, sync
        self.updates = 0

    def learn(self, batch_size=32):
        idx, b = self.replay.sample(batch_size)
        q = self.q(b.s).gather(1, b.a[:, None]).squeeze(1)
        goal = b.r + self.gamma * (1 - b.done) * self.target(b.s2).amax(1)
        loss = F.huber_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.update(idx, (goal - q).abs())  # <- culprit
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()


def behaviour_data(n):
    s = torch.randn(4)
    out = []
    for _ in range(n):
        a = torch.randint(0, 3, ())
        s2 = 0.9 * s + 0.2 * (a - 1) + 0.1 * torch.randn(4)
        done = (s2.norm() > 4).float()
        out.append(Step(s, a, -s2[0].abs(), s2, done))
        s = torch.randn(4) if done else s2
    return out


def main():
    random.seed(0)
    torch.manual_seed(0)
    agent = Agent(Replay(behaviour_data(500)))
    for i in range(200):
        loss = agent.learn()
        if i % 40 == 0:
            print(f"update {i:3d} td loss {loss:.4f}")


if __name__ == "__main__":
    main()
