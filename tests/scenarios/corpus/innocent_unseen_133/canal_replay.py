# gradwatch-corpus: kind=none
import copy
import random
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)


class Lock(NamedTuple):
    level: torch.Tensor
    value: torch.Tensor
    action: int
    reward: float
    after: torch.Tensor


class Replay(list):
    def remember(self, item):
        self.append(item._replace(level=item.level.detach(), value=item.value.detach()))
        del self[:-600]

    def sample(self, k, rng):
        picks = rng.sample(self, k)
        return (torch.stack([p.level for p in picks]), torch.stack([p.value for p in picks]),
                torch.tensor([p.action for p in picks]), torch.tensor([p.reward for p in picks]),
                torch.stack([p.after for p in picks]))


class Canal:
    def __init__(self, rng):
        self.rng, self.water = rng, torch.zeros(3)

    def act(self, a):
        self.water = 0.9 * self.water + torch.tensor([0.3, 0.1, -0.1]) * (a - 1)
        self.water = self.water + 0.05 * torch.tensor([self.rng.gauss(0, 1) for _ in range(3)])
        return -self.water.abs().sum().item(), self.water


class Learner:
    def __init__(self, rng, sync=25):
        self.rng, self.sync = rng, sync
        self.q = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 3))
        self.slow = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.replay = Replay()
        self.updates = 0

    def choose(self, level):
        value = self.q(level)
        greedy = int(value.argmax())
        return (self.rng.randrange(3) if self.rng.random() < 0.2 else greedy), value

    def learn(self):
        level, before, action, reward, after = self.replay.sample(16, self.rng)
        with torch.no_grad():
            goal = reward + 0.9 * self.slow(after).max(-1).values
        q = self.q(level)
        stay = 0.01 * (q - before).square().mean()
        loss = nn.functional.smooth_l1_loss(q.gather(1, action[:, None]).squeeze(1), goal) + stay
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync == 0:
            self.slow.load_state_dict(self.q.state_dict())
        return loss.item()


def main():
    torch.manual_seed(44)
    rng = random.Random(44)
    canal, learner = Canal(rng), Learner(rng)
    level, total = canal.water, 0.0
    for t in range(1100):
        a, value = learner.choose(level)
        reward, after = canal.act(a)
        learner.replay.remember(Lock(level, value, a, reward, after))
        level = after
        if t >= 40:
            total += learner.learn()
    print(total / learner.updates, len(learner.replay))


main()
