# gradwatch-corpus: kind=none
"""Second-order MAML with learned per-tensor step sizes and a multi-step meta loss on sinusoids;
the last few adapted solutions are kept for a diversity read-out."""
import math
from collections import deque

import torch
from torch import nn
from torch.func import functional_call


class Regressor(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class Task:
    def __init__(self, g):
        self.amp = 0.5 + 2 * torch.rand(1, generator=g)
        self.phase = math.pi * torch.rand(1, generator=g)
        self.g = g

    def sample(self, n=10):
        x = 10 * torch.rand(n, 1, generator=self.g) - 5
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner:
    def __init__(self, model, steps=3):
        self.model, self.steps = model, steps
        self.log_lr = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(-4.0))
                                        for k, _ in model.named_parameters()})
        self.opt = torch.optim.Adam([*model.parameters(), *self.log_lr.parameters()], lr=1e-3)
        self.solutions = deque(maxlen=6)
        self.step_weight = torch.linspace(0.2, 1.0, steps)

    def loss(self, params, batch):
        x, y = batch
        return nn.functional.mse_loss(functional_call(self.model, params, (x,)), y)

    def adapt(self, task):
        params = dict(self.model.named_parameters())
        trail = []
        for _ in range(self.steps):
            grads = torch.autograd.grad(self.loss(params, task.sample()), list(params.values()), create_graph=True)
            params = {k: p - self.log_lr[k.replace(".", "_")].exp() * g
                      for (k, p), g in zip(params.items(), grads)}
            trail.append(params)
        return trail

    def meta_step(self, tasks):
        total = 0.0
        for task in tasks:
            trail = self.adapt(task)
            query = task.sample()
            total = total + sum(w * self.loss(p, query) for w, p in zip(self.step_weight, trail))
            self.solutions.append(trail[-1])
        total = total / len(tasks)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()

    @torch.no_grad()
    def diversity(self):
        flat = torch.stack([torch.cat([v.flatten() for v in s.values()]) for s in self.solutions])
        return torch.pdist(flat).mean().item() if len(flat) > 1 else 0.0


def main(iters=420):
    torch.manual_seed(17)
    g = torch.Generator().manual_seed(17)
    learner = MetaLearner(Regressor())
    for i in range(iters):
        value = learner.meta_step([Task(g) for _ in range(2)])
        if i % 60 == 0:
            print(f"{i} meta {value:.4f} diversity {learner.diversity():.4f}")


if __name__ == "__main__":
    main()
