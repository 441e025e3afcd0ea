# gradwatch-corpus: kind=none
"""Recurrent world model fed by a never-ending stream: several chunks make a window, a window makes one update."""
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


@dataclass
class Opts:
    obs: int = 5
    deter: int = 20
    stoch: int = 5
    envs: int = 6
    chunk: int = 3
    window: int = 4
    updates: int = 160
    lr: float = 4e-3
    beta: float = 0.3
    overshoot: int = 2


class Env:
    """A ring of coupled rotors observed with noise."""

    def __init__(self, o: Opts):
        self.phase = torch.rand(o.envs, o.obs) * 6.28
        self.speed = 0.1 + 0.2 * torch.rand(o.obs)

    def read(self, n):
        out = []
        for _ in range(n):
            pull = torch.sin(self.phase.roll(1, 1) - self.phase)
            self.phase = self.phase + self.speed + 0.05 * pull
            out.append(self.phase.sin() + 0.05 * torch.randn_like(self.phase))
        return torch.stack(out)


class Belief:
    __slots__ = ("h", "z")

    def __init__(self, h, z):
        self.h, self.z = h, z

    def cut(self):
        return Belief(self.h.detach(), self.z.detach())

    @property
    def feat(self):
        return torch.cat([self.h, self.z], -1)


class Model(nn.Module):
    def __init__(self, o: Opts):
        super().__init__()
        self.cell = nn.GRUCell(o.stoch, o.deter)
        self.prior = nn.Linear(o.deter, 2 * o.stoch)
        self.post = nn.Sequential(nn.Linear(o.deter + o.obs, 32), nn.ELU(), nn.Linear(32, 2 * o.stoch))
        self.decode = nn.Sequential(nn.Linear(o.deter + o.stoch, 32), nn.ELU(), nn.Linear(32, o.obs))
        self.h0 = nn.Parameter(torch.zeros(o.deter))
        self.o = o

    @staticmethod
    def dist(stats):
        m, s = stats.chunk(2, -1)
        return Normal(m, nn.functional.softplus(s) + 0.1)

    def start(self):
        return Belief(self.h0.expand(self.o.envs, -1), torch.zeros(self.o.envs, self.o.stoch))

    def advance(self, b):
        h = self.cell(b.z, b.h)
        return h, self.dist(self.prior(h))


class StreamLearner:
    def __init__(self, o: Opts):
        self.o, self.env, self.model = o, Env(o), Model(o)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=o.lr)
        self.belief = self.model.start()
        self.recent = deque(maxlen=o.overshoot * o.chunk)
        self.pending = []
        self.stats = {"rec": 0.0, "kl": 0.0, "jump": 0.0}

    def overshooting(self, target):
        """Open-loop prediction of the present posterior from a belief a few steps back."""
        if len(self.recent) < self.recent.maxlen:
            return target.loc.new_zeros(())
        b = self.recent[0]
        for _ in range(len(self.recent)):
            h, prior = self.model.advance(b)
            b = Belief(h, prior.rsample())
        return kl_divergence(Normal(target.loc.detach(), target.scale.detach()), prior).mean()

    def chunk_loss(self, obs):
        rec = kl = jump = 0.0
        for frame in obs:
            h, prior = self.model.advance(self.belief)
            post = self.model.dist(self.model.post(torch.cat([h, frame], -1)))
            jump = jump + self.overshooting(post)
            self.recent.append(self.belief)
            self.belief = Belief(h, post.rsample())
            rec = rec + (self.model.decode(self.belief.feat) - frame).square().mean()
            kl = kl + kl_divergence(post, prior).mean()
        n = len(obs)
        for k, v in (("rec", rec), ("kl", kl), ("jump", jump)):
            self.stats[k] = 0.98 * self.stats[k] + 0.02 * v.item() / n
        return (rec + self.o.beta * kl + 0.1 * jump) / n

    def update(self):
        torch.stack(self.pending).mean().backward()
        self.pending.clear()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.opt.zero_grad()
        self.belief = self.belief.cut()
        self.recent = deque((b.cut() for b in self.recent), maxlen=self.recent.maxlen)

    def run(self):
        done = 0
        while done < self.o.updates:
            self.pending.append(self.chunk_loss(self.env.read(self.o.chunk)))
            if len(self.pending) == self.o.window:
                self.update()
                done += 1
                if done % 40 == 0:
                    print(done, {k: round(v, 4) for k, v in self.stats.items()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    StreamLearner(Opts()).run()
