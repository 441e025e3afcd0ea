# gradwatch-corpus: kind=none
# multi-task tabular regression with gradient surgery (two backward passes over a shared trunk)
import random
import torch
from torch import nn

torch.manual_seed(33)
random.seed(33)
ITERS = 420
TASKS = ["price", "demand", "churn"]


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(14, 40), nn.SiLU(), nn.Linear(40, 24), nn.SiLU())
        self.heads = nn.ModuleDict({t: nn.Linear(24, 1) for t in TASKS})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


W = {t: torch.randn(14) for t in TASKS}


def batch(n=24):
    x = torch.randn(n, 14)
    return x, {t: torch.tanh(x @ W[t]) + 0.05 * torch.randn(n) for t in TASKS}


def flat_grad(loss, params, keep):
    gs = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return torch.cat([(g if g is not None else torch.zeros_like(p)).reshape(-1) for g, p in zip(gs, params)])


def surgery(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        others = [o for j, o in enumerate(grads) if j != i]
        random.shuffle(others)
        for o in others:
            dot = torch.dot(g, o)
            if dot < 0:
                g -= dot / o.pow(2).sum().clamp_min(1e-12) * o
        out.append(g)
    return torch.stack(out).mean(0)


def assign(params, flat):
    i = 0
    for p in params:
        n = p.numel()
        p.grad = flat[i:i + n].view_as(p).clone()
        i += n


model = Shared()
params = list(model.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
cosines = []
task_loss = {t: [] for t in TASKS}
prev_grads = None

for it in range(ITERS):
    x, y = batch()
    out = model(x)
    losses = [(out[t] - y[t]).pow(2).mean() for t in TASKS]
    grads = []
    for i, l in enumerate(losses):
        grads.append(flat_grad(l, params, keep=i < len(losses) - 1))
    if prev_grads is not None:
        cosines.append([torch.cosine_similarity(a, b, dim=0).item() for a, b in zip(grads, prev_grads)])
    prev_grads = grads
    opt.zero_grad()
    assign(params, surgery(grads))
    opt.step()
    for t, l in zip(TASKS, losses):
        task_loss[t].append(l.detach())
    if (it + 1) % 70 == 0:
        print(it + 1, {t: f"{torch.stack(v[-30:]).mean():.4f}" for t, v in task_loss.items()}, cosines[-1])
        for t in TASKS:
            task_loss[t] = task_loss[t][-30:]
