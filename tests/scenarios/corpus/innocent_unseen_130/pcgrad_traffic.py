# gradwatch-corpus: kind=none
import random
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(44)
random.seed(44)


class Multi(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(16, 1) for t in tasks})

    def forward(self, x):
        h = self.shared(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


def surgery(losses, params):
    flat = []
    last = len(losses) - 1
    for i, l in enumerate(losses):
        gs = torch.autograd.grad(l, params, retain_graph=i < last)
        flat.append(torch.cat([g.flatten() for g in gs]))
    out = []
    for i, g in enumerate(flat):
        g = g.clone()
        for j in random.sample(range(len(flat)), len(flat)):
            dot = g @ flat[j]
            if j != i and dot < 0:
                g -= dot / flat[j].square().sum() * flat[j]
        out.append(g)
    return torch.stack(out).sum(0)


tasks = ("speed", "flow", "queue")
model = Multi(tasks)
shared = list(model.shared.parameters())
opt = torch.optim.Adam(model.parameters(), 2e-3)
target = {t: torch.randn(12) for t in tasks}
for it in range(700):
    x = torch.randn(20, 12)
    pred = model(x)
    losses = [(pred[t] - torch.tanh(x @ target[t])).square().mean() for t in tasks]
    opt.zero_grad()
    sum(losses).backward(inputs=list(model.heads.parameters()), retain_graph=True)
    vec = surgery(losses, shared)
    at = 0
    for p in shared:
        p.grad = vec[at:at + p.numel()].view_as(p).clone()
        at += p.numel()
    opt.step()
    if it % 140 == 0:
        print(it, [round(l.item(), 3) for l in losses])
