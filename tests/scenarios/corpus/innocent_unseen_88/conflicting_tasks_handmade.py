# gradwatch-corpus: kind=none
"""
Answer to "how do I project conflicting gradients (PCGrad) without a library?"
Two tasks, one trunk: blood pressure (regression) and diabetes (classification).
The optimizer is LARS-like, by hand, with its memory in a default argument; gradients are
accumulated over 2 micro batches.
"""
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(64)


def patients(n):
    x = torch.randn(n, 8)
    bp = x[:, :3].sum(1) * 0.6 + 0.2 * x[:, 3] * x[:, 4]
    dia = (x[:, 2] - x[:, 5] + 0.5 * torch.randn(n) > 0).float()
    return x, bp, dia


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 24), nn.ELU(), nn.Linear(24, 12), nn.ELU())
        self.bp = nn.Linear(12, 1)
        self.dia = nn.Linear(12, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.bp(h).squeeze(1), self.dia(h).squeeze(1)


class LarsByHand(torch.optim.Optimizer):
    def __init__(self, params, lr=0.05, trust=0.05, mom=0.9):
        super().__init__(params, dict(lr=lr, trust=trust, mom=mom))

    @torch.no_grad()
    def step(self, memory={}):
        for g in self.param_groups:
            for i, p in enumerate(g["params"]):
                if p.grad is None:
                    continue
                local = g["trust"] * (p.norm() + 1e-2) / (p.grad.norm() + 1e-6)
                v = memory.get(i, torch.zeros_like(p))
                v = g["mom"] * v + min(1.0, local.item()) * p.grad
                memory[i] = v
                p.sub_(g["lr"] * v)


class Conflict:
    """Smoothed cosine between the tasks' gradients, and its whole history."""
    ema = torch.zeros(())
    log = []


@contextlib.contextmanager
def accumulating(opt, params):
    opt.zero_grad()
    bank = [torch.zeros_like(p) for p in params]
    yield bank
    for p, b in zip(params, bank):
        p.grad = b
    opt.step()


def pcgrad(losses, params):
    flat = []
    for k, l in enumerate(losses):
        more = k < len(losses) - 1
        g = torch.autograd.grad(l, params, retain_graph=more, allow_unused=True)
        flat.append([torch.zeros_like(p) if a is None else a for p, a in zip(params, g)])
    a, b = (torch.cat([t.reshape(-1) for t in f]) for f in flat)
    dot = a @ b
    Conflict.ema = 0.98 * Conflict.ema + 0.02 * F.cosine_similarity(a, b, 0)
    Conflict.log.append(Conflict.ema)
    if dot < 0:
        a, b = a - dot / (b @ b + 1e-9) * b, b - dot / (a @ a + 1e-9) * a
    return (a + b).split([p.numel() for p in params])


net = Shared()
params = list(net.parameters())
opt = LarsByHand(params)
weight = torch.ones(2)                     # of the tasks, after "dynamic weight average"
previous = None

for it in range(380):
    seen = []
    with accumulating(opt, params) as bank:
        for micro in range(2):
            x, bp, dia = patients(16)
            p_bp, p_dia = net(x)
            raw = torch.stack([F.mse_loss(p_bp, bp), F.binary_cross_entropy_with_logits(p_dia, dia)])
            seen.append(raw.detach())
            for b, g in zip(bank, pcgrad(list((raw * weight).unbind()), params)):
                b += g.view_as(b) / 2
    now = torch.stack(seen).mean(0)
    if previous is not None:
        weight = 2 * torch.softmax(now / previous, 0)
    previous = now
    if it % 76 == 0:
        print(it, [round(v, 4) for v in now.tolist()], "cosine", round(float(Conflict.ema), 3))

print("entries in the conflict log:", len(Conflict.log), "last", Conflict.log[-1].item())
