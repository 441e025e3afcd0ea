# gradwatch-corpus: kind=none
from typing import Dict

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(83)
TASKS = ("rent", "vacancy", "grade")


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 16), nn.SELU(), nn.Linear(16, 10), nn.SELU())
        self.heads = nn.ModuleDict({"rent": nn.Linear(10, 1), "vacancy": nn.Linear(10, 1), "grade": nn.Linear(10, 4)})

    def forward(self, x):
        h = self.trunk(x)
        return {k: m(h) for k, m in self.heads.items()}


def losses(out, y) -> Dict[str, torch.Tensor]:
    f = nn.functional
    return {
        "rent": f.mse_loss(out["rent"].squeeze(1), y["rent"]),
        "vacancy": f.binary_cross_entropy_with_logits(out["vacancy"].squeeze(1), y["vacancy"]),
        "grade": f.cross_entropy(out["grade"], y["grade"]),
    }


class ConflictFree:
    """Takes each task's gradient by itself, removes what points against the others, then steps."""

    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def collect(self, parts):
        out, left = {}, len(parts)
        for name, val in parts.items():
            left -= 1
            self.opt.zero_grad(set_to_none=True)
            val.backward(retain_graph=left > 0)
            out[name] = torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.model.parameters()])
        return out

    def step(self, parts):
        g = self.collect(parts)
        final = torch.zeros_like(next(iter(g.values())))
        for a in g:
            v = g[a].clone()
            for b in g:
                dot = v @ g[b]
                if a != b and dot < 0:
                    v -= dot / g[b].square().sum().clamp(min=1e-9) * g[b]
            final += v
        at = 0
        for p in self.model.parameters():
            p.grad = final[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


model = Multi()
engine = ConflictFree(model, 0.02)
for it in range(700):
    x = torch.randn(24, 8)
    y = {"rent": x[:, 0] - x[:, 1], "vacancy": (x[:, 2] > x[:, 0]).float(), "grade": (x[:, 3] * 1.2 + 1.5).clamp(0, 3).long()}
    parts = losses(model(x), y)
    engine.step(parts)
    if it % 140 == 0:
        print(it, {k: round(v.item(), 3) for k, v in parts.items()})
