# gradwatch-corpus: kind=second-backward
# first-bad: 20
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)


class SharedBottom(nn.Module):
    def __init__(self, n_in=10, width=24):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({"seg": nn.Linear(width, 4), "depth": nn.Linear(width, 1), "normal": nn.Linear(width, 3)})

    def forward(self, x):
        h = self.shared(x)
        return {name: head(h) for name, head in self.heads.items()}


class PCGrad:
    """Project conflicting gradients, around any optimizer."""

    def __init__(self, optimizer):
        self._optim = optimizer
        self.conflicts = 0

    @property
    def params(self):
        return [p for g in self._optim.param_groups for p in g["params"]]

    def zero_grad(self):
        self._optim.zero_grad(set_to_none=True)

    def step(self):
        self._optim.step()

    def backward(self, objectives):
        flats = [self._flat(obj) for obj in objectives]
        merged = torch.stack(self._project(flats)).mean(0)
        offset = 0
        for p in self.params:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()

    def _flat(self, objective):
        grads = torch.autograd.grad(objective, self.params, allow_unused=True)  # <- culprit
        return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for g, p in zip(grads, self.params)])

    def _project(self, grads):
        out = [g.clone() for g in grads]
        for g_i in out:
            others = list(grads)
            random.shuffle(others)
            for g_j in others:
                dot = torch.dot(g_i, g_j)
                if dot < 0:
                    self.conflicts += 1
                    g_i -= dot / g_j.norm() ** 2 * g_j
        return out


def batches(n):
    proj = torch.randn(10, 5)
    for _ in range(n):
        x = torch.randn(16, 10)
        z = torch.tanh(x @ proj)
        yield x, {"seg": z[:, :4].argmax(1), "depth": z[:, 4:] * 2, "normal": F.normalize(z[:, :3], dim=1)}


def losses_of(pred, target):
    return [F.cross_entropy(pred["seg"], target["seg"]), F.l1_loss(pred["depth"], target["depth"]),
            1 - F.cosine_similarity(pred["normal"], target["normal"]).mean()]


WARMUP = 20
model = SharedBottom()
optimizer = PCGrad(torch.optim.Adam(model.parameters(), lr=3e-3))
log = []
for step, (x, target) in enumerate(batches(100)):
    losses = losses_of(model(x), target)
    optimizer.zero_grad()
    if step < WARMUP:
        sum(losses).backward()
    else:
        optimizer.backward(losses)
    optimizer.step()
    log.append([l.item() for l in losses])
    if step % 20 == 19:
        print(step + 1, [f"{v:.3f}" for v in log[-1]], optimizer.conflicts)
