# gradwatch-corpus: kind=none
"""Gradient surgery (PCGrad) for three regression tasks with one trunk."""
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(24)
random.seed(24)


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def step(self, losses):
        flat = []
        for i, loss in enumerate(losses):
            keep = i < len(losses) - 1
            gs = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
            flat.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(self.params, gs)]))
        merged = self.project(flat)
        i = 0
        for p in self.params:
            p.grad = merged[i:i + p.numel()].view_as(p).clone()
            i += p.numel()
        self.optimizer.step()

    @staticmethod
    def project(grads):
        out = [g.clone() for g in grads]
        for gi in out:
            for gj in random.sample(grads, len(grads)):
                dot = gi @ gj
                if dot < 0:
                    gi -= dot / gj.pow(2).sum() * gj
        return torch.stack(out).sum(0)


class MultiTask(nn.Module):
    def __init__(self, d=8, tasks=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(16, 1) for _ in range(tasks))

    def forward(self, x):
        h = self.trunk(x)
        return [head(h).squeeze(1) for head in self.heads]


model = MultiTask()
pc = PCGrad(torch.optim.Adam(model.parameters(), lr=2e-3))
V = torch.randn(8, 3)
log = [[] for _ in range(3)]
for it in range(110):
    x = torch.randn(48, 8)
    targets = torch.sin(x @ V).unbind(1)
    losses = [(p - t).pow(2).mean() for p, t in zip(model(x), targets)]
    pc.step(losses)
    for l, v in zip(log, losses):
        l.append(v.item())
    if it % 30 == 0:
        print(it, [round(l[-1], 3) for l in log])
