# gradwatch-corpus: kind=none
"""Three losses with an optimizer each over the graph of one trunk. All gradients first, all steps then."""
import contextlib

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(27)


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 24), nn.SiLU())

    def forward(self, x):
        return self.net(x)


class Task:
    def __init__(self, name, out, loss_fn, every=1):
        self.name, self.loss_fn, self.every = name, loss_fn, every
        self.head = nn.Linear(24, out)
        self.opt = torch.optim.Adam(self.head.parameters(), lr=3e-3)
        self.log = []

    def active(self, it):
        return it % self.every == 0

    def loss(self, z, target):
        value = self.loss_fn(self.head(z), target)
        self.log.append(value.detach())
        return value


@contextlib.contextmanager
def stepping(optimizers):
    for o in optimizers:
        o.zero_grad()
    yield
    for o in optimizers:
        o.step()


def project(grads):
    """PCGrad: take out of each gradient what contradicts another."""
    out = [g.clone() for g in grads]
    for i, gi in enumerate(out):
        for j, gj in enumerate(grads):
            dot = (gi * gj).sum()
            if i != j and dot < 0:
                gi -= dot / (gj.norm() ** 2 + 1e-8) * gj
    return sum(out)


trunk = Trunk()
trunk_opt = torch.optim.Adam(trunk.parameters(), lr=2e-3)
tasks = [
    Task("depth", 1, lambda p, t: F.mse_loss(p.squeeze(-1), t)),
    Task("class", 4, F.cross_entropy),
    Task("edge", 3, F.l1_loss, every=2),
]
w = torch.randn(10, 8)

for it in range(150):
    x = torch.randn(40, 10)
    y = torch.tanh(x @ w)
    targets = [y[:, 0], y[:, 1:5].argmax(1), y[:, 5:]]
    now = [(t, g) for t, g in zip(tasks, targets) if t.active(it)]
    z = trunk(x)
    shared = list(trunk.parameters())
    with stepping([trunk_opt] + [t.opt for t, _ in now]):
        flat = []
        for k, (task, target) in enumerate(now):
            loss = task.loss(z, target)
            wanted = shared + list(task.head.parameters())
            grads = torch.autograd.grad(loss, wanted, retain_graph=k < len(now) - 1)
            flat.append(torch.cat([g.flatten() for g in grads[:len(shared)]]))
            for p, g in zip(task.head.parameters(), grads[len(shared):]):
                p.grad = g
        at = 0
        total = project(flat)
        for p in shared:
            p.grad = total[at:at + p.numel()].view_as(p)
            at += p.numel()
    if it % 30 == 0:
        print(it, {t.name: round(t.log[-1].item(), 3) for t in tasks})
