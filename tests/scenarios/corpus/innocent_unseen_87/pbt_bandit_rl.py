# gradwatch-corpus: kind=none
"""Population based training of small actor-critics on contextual bandits with drifting rewards.
Truncation selection, hyperparameter lineage, per-member replay of recent transitions."""
import copy
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Deque, Dict, List

import torch
import torch.nn as nn
import torch.nn.functional as F

CTX, ARMS = 8, 4


class DriftingBandit:
    def __init__(self):
        self.w = torch.randn(CTX, ARMS)

    def contexts(self, n):
        self.w = self.w + 0.01 * torch.randn_like(self.w)
        return torch.randn(n, CTX)

    def reward(self, x, a):
        return torch.tanh(x @ self.w).gather(1, a.unsqueeze(1)).squeeze(1) + 0.1 * torch.randn(len(x))


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(CTX, 32), nn.Tanh())
        self.pi, self.q = nn.Linear(32, ARMS), nn.Linear(32, ARMS)

    def forward(self, x):
        h = self.body(x)
        return self.pi(h), self.q(h)


@dataclass
class Lineage:
    step: int
    parent: str
    hp: Dict[str, float]


@dataclass
class Worker:
    name: str
    hp: Dict[str, float]
    net: ActorCritic = field(default_factory=ActorCritic)
    replay: Deque = field(default_factory=lambda: deque(maxlen=256))
    recent_losses: Deque = field(default_factory=lambda: deque(maxlen=8))
    score: float = 0.0
    lineage: List[Lineage] = field(default_factory=list)

    def __post_init__(self):
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=self.hp["lr"])
        self.target = copy.deepcopy(self.net).requires_grad_(False)

    def act(self, x):
        logits, q = self.net(x)
        dist = torch.distributions.Categorical(logits=logits)
        return dist.sample(), dist, q

    def train_step(self, env):
        x = env.contexts(24)
        a, dist, q = self.act(x)
        r = env.reward(x, a)
        base = (dist.probs * q).sum(1)
        pg = -(dist.log_prob(a) * (r - base).detach()).mean()
        vf = F.mse_loss(q.gather(1, a.unsqueeze(1)).squeeze(1), r)
        loss = pg + 0.5 * vf - self.hp["ent"] * dist.entropy().mean() + self.rehearse()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.extend(zip(x, a, r, base.detach()))
        self.recent_losses.append(loss)
        self.score = 0.95 * self.score + 0.05 * r.mean().item()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.net.parameters()):
                t.lerp_(p, 0.02)

    def rehearse(self):
        if len(self.replay) < 64:
            return 0.0
        x, a, r, _ = map(torch.stack, zip(*random.sample(self.replay, 24)))
        logits, q = self.net(x)
        with torch.no_grad():
            old, _ = self.target(x)
        kl = F.kl_div(logits.log_softmax(-1), old.softmax(-1), reduction="batchmean")
        return 0.25 * F.mse_loss(q.gather(1, a.unsqueeze(1)).squeeze(1), r) + self.hp["kl"] * kl

    def stability(self):
        return torch.stack([l.detach() for l in self.recent_losses]).std().item()

    def clone_from(self, other, step):
        self.net.load_state_dict(other.net.state_dict())
        self.target.load_state_dict(other.target.state_dict())
        self.hp = {k: v * random.choice([0.8, 1.2]) for k, v in other.hp.items()}
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=self.hp["lr"])
        self.replay, self.score = copy.copy(other.replay), other.score
        self.lineage.append(Lineage(step, other.name, dict(self.hp)))


class Controller:
    def __init__(self, n, interval):
        self.env, self.interval = DriftingBandit(), interval
        self.workers = [Worker(f"w{i}", dict(lr=10 ** random.uniform(-3.5, -1.5), ent=10 ** random.uniform(-3, -1),
                                             kl=random.uniform(0, 0.5))) for i in range(n)]
        self.board = []

    def run(self, ticks):
        for t in range(1, ticks + 1):
            for w in self.workers:
                w.train_step(self.env)
            if t % self.interval == 0:
                rank = sorted(self.workers, key=lambda w: w.score)
                rank[0].clone_from(rank[-1], t)
                self.board.append((t, rank[-1].name, rank[-1].score, rank[-1].stability()))
                print("tick {} best {} score {:.3f} wobble {:.3f}".format(*self.board[-1]))
        return self.board


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(4)
    random.seed(4)
    ctl = Controller(n=5, interval=30)
    ctl.run(180)
    print("clones", sum(len(w.lineage) for w in ctl.workers))
