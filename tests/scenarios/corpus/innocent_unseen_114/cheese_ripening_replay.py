# gradwatch-corpus: kind=none
import random
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn

# Ripening of cheese wheels in a cave: a latent state per wheel is rolled forward a few
# days inside an episode, replayed later from stored (detached) latents, with gradients
# accumulated over micro-batches and a slow teacher for consistency.


@dataclass
class Options:
    latent: int = 12
    days: int = 5
    wheels: int = 8
    accumulate: int = 2
    updates: int = 300
    lr: float = 4e-3
    replay: int = 2
    teacher_decay: float = 0.98


@dataclass
class Memory:
    items: List[tuple] = field(default_factory=list)

    def push(self, latent, env, ph):
        self.items.append((latent.detach(), env, ph))

    def sample(self, k, rng):
        return rng.sample(self.items, min(k, len(self.items)))


class Cave:
    def __init__(self, opt, seed):
        self.opt = opt
        self.g = torch.Generator().manual_seed(seed)

    def episode(self):
        o = self.opt
        ph = 5.0 + 0.2 * torch.rand(o.wheels, generator=self.g)
        for _ in range(o.days):
            env = torch.randn(o.wheels, 4, generator=self.g)
            rate = 0.05 * torch.sigmoid(env[:, 0] + 0.5 * env[:, 1])
            ph = ph + rate + 0.01 * torch.randn(o.wheels, generator=self.g)
            yield env, ph


class Ripener(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.step = nn.GRUCell(4, latent)
        self.start = nn.Parameter(torch.zeros(latent))
        self.ph = nn.Linear(latent, 1)

    def begin(self, n):
        return self.start.expand(n, -1)

    def advance(self, z, env):
        return self.step(env, z)

    def read(self, z):
        return 5.0 + self.ph(z).squeeze(-1)


def follow(teacher, student, decay):
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.lerp_(s, 1 - decay)


class Session:
    def __init__(self, opt):
        self.opt = opt
        self.model = Ripener(opt.latent)
        self.teacher = Ripener(opt.latent)
        self.teacher.load_state_dict(self.model.state_dict())
        self.optim = torch.optim.Adam(self.model.parameters(), lr=opt.lr)
        self.memory = Memory()
        self.cave = Cave(opt, 7)
        self.rng = random.Random(8)
        self.loss_sum = torch.zeros(())

    def live_loss(self):
        total = 0.0
        self.z = self.model.begin(self.opt.wheels)
        with torch.no_grad():
            zt = self.teacher.begin(self.opt.wheels)
        for env, ph in self.cave.episode():
            self.memory.push(self.z, env, ph)
            self.z = self.model.advance(self.z, env)
            with torch.no_grad():
                zt = self.teacher.advance(zt, env)
            total = total + (self.model.read(self.z) - ph).abs().mean() + 0.1 * (self.z - zt).pow(2).mean()
        return total / self.opt.days

    def replay_loss(self):
        parts = [(self.model.read(self.model.advance(z, env)) - ph).abs().mean()
                 for z, env, ph in self.memory.sample(self.opt.replay, self.rng)]
        return torch.stack(parts).mean()

    def update(self):
        self.optim.zero_grad()
        for _ in range(self.opt.accumulate):
            loss = (self.live_loss() + 0.5 * self.replay_loss()) / self.opt.accumulate
            loss.backward()
            self.loss_sum += loss.detach()
        self.optim.step()
        follow(self.teacher, self.model, self.opt.teacher_decay)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(6)
    options = Options()
    session = Session(options)
    for n in range(options.updates):
        session.update()
        if (n + 1) % 50 == 0:
            print(f"update {n + 1:3d}: mean loss so far {session.loss_sum.item() / (n + 1):.4f}, "
                  f"{len(session.memory.items)} latents stored")
