# gradwatch-corpus: kind=graph-held
# holder: averager.pool | self.pool | trainer.averager.pool | trainer.averager.pool[0].flat
# first-bad: 123
# notice: 8
from dataclasses import dataclass, field
import math

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.set_num_threads(1)
torch.manual_seed(404)


@dataclass
class Snapshot:
    step: int
    score: float
    flat: torch.Tensor


@dataclass
class TailAverager:
    start: int
    stride: int
    pool: list = field(default_factory=list)

    def visit(self, step, model, score):
        if step < self.start or (step - self.start) % self.stride != self.stride - 1:
            return False
        self.pool.append(Snapshot(step, score, parameters_to_vector(model.parameters())))  # <- culprit
        return True

    def centre(self):
        weights = torch.softmax(-torch.tensor([s.score for s in self.pool]), 0)
        return (torch.stack([s.flat for s in self.pool]) * weights[:, None]).sum(0)


class CyclicRate:
    def __init__(self, opt, hi, lo, period):
        self.opt, self.hi, self.lo, self.period = opt, hi, lo, period

    def at(self, step):
        phase = (step % self.period) / self.period
        lr = self.lo + (self.hi - self.lo) * 0.5 * (1 + math.cos(math.pi * phase))
        for g in self.opt.param_groups:
            g["lr"] = lr


class CoralNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = nn.Embedding(6, 4)
        self.body = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 1))

    def forward(self, zone, env):
        return self.body(torch.cat([self.depth(zone), env], 1)).squeeze(1)


class Trainer:
    def __init__(self):
        self.model = CoralNet()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.8)
        self.rate = CyclicRate(self.opt, 0.06, 0.01, 24)
        self.averager = TailAverager(start=120, stride=3)

    def batch(self):
        zone = torch.randint(0, 6, (40,))
        env = torch.randn(40, 3)
        return zone, env, torch.tanh(env[:, 0] - env[:, 2]) + 0.2 * zone

    def run(self, n):
        for step in range(n):
            self.rate.at(step)
            zone, env, cover = self.batch()
            loss = torch.nn.functional.huber_loss(self.model(zone, env), cover)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.averager.visit(step, self.model, loss.item())

    def finish(self):
        with torch.no_grad():
            vector_to_parameters(self.averager.centre(), self.model.parameters())
            zone, env, cover = self.batch()
            return (self.model(zone, env) - cover).abs().mean().item()


trainer = Trainer()
trainer.run(600)
print("mae after averaging", round(trainer.finish(), 4))
