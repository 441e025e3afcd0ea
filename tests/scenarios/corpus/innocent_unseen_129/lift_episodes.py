# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(127)


@dataclass
class Trip:
    log_probs: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def add(self, dist, move, reward):
        self.log_probs.append(dist.log_prob(move))
        self.entropies.append(dist.entropy())
        self.rewards.append(reward)

    def returns(self, gamma=0.95):
        out, run = [], 0.0
        for r in reversed(self.rewards):
            run = r + gamma * run
            out.append(run)
        return torch.tensor(out[::-1])


class Lift:
    floors = 7
    limit = 12

    def calls(self):
        """Coroutine: yields what the driver sees, is sent the move."""
        at, want = 0, int(torch.randint(1, self.floors, ()))
        reward = 0.0
        for _ in range(self.limit):
            move = yield torch.tensor([at / 6, want / 6, (want - at) / 6]), reward
            at = max(0, min(self.floors - 1, at + move - 1))
            reward = 1.0 if at == want else -0.1
            if at == want:
                break
        yield None, reward


class Driver(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
        self.baseline = 0.0

    def forward(self, view):
        return Categorical(logits=self.net(view))


class Operator:
    def __init__(self):
        self.driver, self.lift = Driver(), Lift()
        self.opt = torch.optim.Adam(self.driver.parameters(), lr=5e-3)
        self.trip = Trip()

    def ride(self):
        self.trip = Trip()
        ride = self.lift.calls()
        view, _ = next(ride)
        while view is not None:
            dist = self.driver(view)
            move = dist.sample()
            view, reward = ride.send(int(move))
            self.trip.add(dist, move, reward)

    def learn(self):
        ret = self.trip.returns()
        adv = ret - self.driver.baseline
        self.driver.baseline = 0.95 * self.driver.baseline + 0.05 * ret.mean().item()
        loss = -(torch.stack(self.trip.log_probs) * adv).sum() - 0.01 * torch.stack(self.trip.entropies).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


op = Operator()
for _ in range(600):
    op.ride()
    op.learn()
print(op.driver.baseline, len(op.trip.rewards))
