# gradwatch-corpus: kind=none
import copy
import math
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(92)

PHASES = {"warm": range(0, 30), "mean_teacher": range(30, 75), "pi_ensemble": range(75, 130)}


class Teacher:
    """Moving average of the student as a dictionary of tensors, used by functional_call."""

    def __init__(self, model, momentum):
        self.m = momentum
        self.weights = {k: v.detach().clone() for k, v in model.named_parameters()}

    def update(self, model):
        for k, p in model.named_parameters():
            self.weights[k] = self.m * self.weights[k] + (1 - self.m) * p.detach()

    def __call__(self, model, x):
        return functional_call(model, self.weights, (x,))


class TemporalTargets:
    """Sliding ensemble of the last student outputs for a fixed probe set, newest with its graph."""

    def __init__(self, size):
        self.outputs = deque(maxlen=size)

    def push(self, probs):
        if self.outputs:
            self.outputs[-1] = self.outputs[-1].detach()
        self.outputs.append(probs)

    def spread(self):
        stack = torch.stack(list(self.outputs))
        return (stack - stack.mean(0, keepdim=True)).pow(2).sum(-1).mean()


class Trainer:
    def __init__(self, model, data, pool):
        self.model, self.data, self.pool = model, data, pool
        self.opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, 130)
        self.teacher, self.targets = None, TemporalTargets(6)
        self.probe = pool[:32]
        self.state = {"step": 0, "loss": None, "terms": {}}
        self.best = None

    def phase(self):
        return next(k for k, r in PHASES.items() if self.state["step"] in r)

    def enter(self, phase):
        if phase == "mean_teacher":
            self.teacher = Teacher(self.model, 0.9)
        if phase == "pi_ensemble":
            self.teacher = None
            self.best = copy.deepcopy(self.model.state_dict())
            self.targets.outputs.clear()

    def step(self):
        phase = self.phase()
        if self.state["step"] == PHASES[phase].start:
            self.enter(phase)
        idx = torch.randint(len(self.data[0]), (20,))
        terms = {"ce": F.cross_entropy(self.model(self.data[0][idx]), self.data[1][idx])}
        if phase == "mean_teacher":
            x = self.pool[torch.randint(len(self.pool), (40,))]
            soft = self.teacher(self.model, x + 0.1 * torch.randn_like(x)).softmax(1)
            terms["cons"] = (self.model(x).softmax(1) - soft).pow(2).sum(1).mean()
        if phase == "pi_ensemble":
            self.targets.push(self.model(self.probe + 0.1 * torch.randn_like(self.probe)).softmax(1))
            terms["spread"] = self.targets.spread()
        loss = sum(terms.values())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        if self.teacher is not None:
            self.teacher.update(self.model)
        self.state.update(step=self.state["step"] + 1, loss=loss, terms=terms)

    def fit(self, steps):
        for _ in range(steps):
            self.step()
            if self.state["step"] % 26 == 0:
                print(self.state["step"], {k: round(v.item(), 4) for k, v in self.state["terms"].items()})


def moons(n):
    y = torch.randint(2, (n,))
    a = math.pi * torch.rand(n)
    x = torch.stack([a.cos() + y, (1 - 2 * y) * a.sin() + 0.4 * y], 1)
    return x + 0.1 * torch.randn(n, 2), y


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))
    Trainer(net, moons(30), moons(300)[0]).fit(130)
