import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


@dataclass
class MetaConfig:
    seed: int = 35
    hidden: int = 16
    tasks: int = 3
    inner_steps: int = 3
    rate: float = 0.1
    lr: float = 2e-3
    iterations: int = 420
    keep_paths: int = 3


class Maml:
    def __init__(self, cfg, lab):
        self.cfg, self.lab = cfg, lab
        self.net = nn.Sequential(nn.Linear(1, cfg.hidden), nn.Tanh(), nn.Linear(cfg.hidden, 1))
        self.rates = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(cfg.rate)) for n, _ in self.net.named_parameters()})
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.rates.parameters()], lr=cfg.lr)
        self.paths = []

    def loss(self, w, x, y):
        return F.mse_loss(functional_call(self.net, w, (x,)), y)

    def adapt(self, task):
        w = dict(self.net.named_parameters())
        for _ in range(self.cfg.inner_steps):
            g = torch.autograd.grad(self.loss(w, task.s_x, task.s_y), list(w.values()), create_graph=True)
            w = {n: p - self.rates[n.replace(".", "_")] * gi for (n, p), gi in zip(w.items(), g)}
            self.paths.append(w)
        return w

    def iteration(self):
        self.paths.clear()
        total = 0.0
        for _ in range(self.cfg.tasks):
            t = self.lab.task()
            total = total + self.loss(self.adapt(t), t.q_x, t.q_y)
        total = total / self.cfg.tasks
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()

    def finetune(self, task, steps=5):
        learner = copy.deepcopy(self.net)
        opt = torch.optim.SGD(learner.parameters(), lr=0.1)
        for _ in range(steps):
            opt.zero_grad()
            F.mse_loss(learner(task.s_x), task.s_y).backward()
            opt.step()
        with torch.no_grad():
            return F.mse_loss(learner(task.q_x), task.q_y).item()

    def train(self):
        curve = []
        for i in range(self.cfg.iterations):
            curve.append(self.iteration())
            if i % 100 == 99:
                print(i, "plain fine-tuning", self.finetune(self.lab.task()))
        return curve
