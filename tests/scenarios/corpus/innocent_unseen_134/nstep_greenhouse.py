# gradwatch-corpus: kind=none
"""N-step advantage actor-critic for a greenhouse; rollouts are dataclasses emptied after each update."""
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


@dataclass
class NStep:
    size: int
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    entropy: list = field(default_factory=list)
    reward: list = field(default_factory=list)

    def add(self, logp, value, entropy, reward):
        self.logp.append(logp)
        self.value.append(value)
        self.entropy.append(entropy)
        self.reward.append(reward)

    def full(self):
        return len(self.reward) == self.size

    def clear(self):
        for items in (self.logp, self.value, self.entropy, self.reward):
            items.clear()


@dataclass
class Summary:
    score: float
    entropy: torch.Tensor


class Greenhouse:
    def __init__(self, houses):
        self.n = houses
        self.reset()

    def reset(self):
        self.t, self.h = 20 + torch.randn(self.n), 0.6 + 0.1 * torch.randn(self.n)

    def see(self):
        return torch.stack([(self.t - 22) / 5, (self.h - 0.6) * 4], 1)

    def act(self, a):
        heat, vent = (a == 1).float(), (a == 2).float()
        self.t = self.t + 0.8 * heat - 0.6 * vent - 0.05 * (self.t - 15) + 0.2 * torch.randn(self.n)
        self.h = (self.h + 0.03 - 0.08 * vent).clamp(0, 1)
        return -(self.t - 22).abs() / 5 - (self.h - 0.6).abs() - 0.05 * heat


class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 24), nn.Tanh())
        self.p, self.v = nn.Linear(24, 3), nn.Linear(24, 1)

    def forward(self, x):
        z = self.body(x)
        return Categorical(logits=self.p(z)), self.v(z)[:, 0]


class Grower:
    def __init__(self, n=8, length=6):
        self.env, self.net = Greenhouse(n), Brain()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=7e-4, alpha=0.99)
        self.buf = NStep(length)
        self.log = []
        self.baseline = torch.zeros(())
        self.recent = deque(maxlen=16)

    def interact(self):
        d, v = self.net(self.env.see())
        a = d.sample()
        self.buf.add(d.log_prob(a), v, d.entropy().mean(), self.env.act(a))

    def improve(self):
        with torch.no_grad():
            boot = self.net(self.env.see())[1]
        rets, run = [], boot
        for r in reversed(self.buf.reward):
            run = r + 0.95 * run
            rets.insert(0, run)
        ret, val = torch.stack(rets), torch.stack(self.buf.value)
        self.baseline = 0.98 * self.baseline + 0.02 * val.mean().detach()
        adv = ret - val
        ent = torch.stack(self.buf.entropy).mean()
        loss = -(torch.stack(self.buf.logp) * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.01 * ent
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        s = Summary(sum(r.mean().item() for r in self.buf.reward), ent.detach())
        self.log.append(s)
        self.recent.append(loss)
        self.buf.clear()

    def grow(self, updates):
        for u in range(updates):
            while not self.buf.full():
                self.interact()
            self.improve()
            if u % 50 == 49:
                self.env.reset()
        print(float(self.baseline), sum(float(x) for x in self.recent) / 16, self.log[-1].score)


if __name__ == "__main__":
    torch.manual_seed(3)
    Grower().grow(500)
