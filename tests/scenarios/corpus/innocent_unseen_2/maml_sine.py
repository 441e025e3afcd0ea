# gradwatch-corpus: kind=none
"""Second-order MAML on sine tasks with functional_call, 3 inner steps, 3 tasks per meta-batch."""
import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
meta = torch.optim.Adam(net.parameters(), lr=2e-3)
latest = {}


def task(tid):
    g = torch.Generator().manual_seed(tid)
    a, p = 0.5 + torch.rand(1, generator=g), 3 * torch.rand(1, generator=g)
    x = torch.rand(20, 1) * 6 - 3
    return x, a * torch.sin(x + p)


def adapt(x, y, steps=3, lr=0.05):
    fast = dict(net.named_parameters())
    for _ in range(steps):
        l = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        gs = torch.autograd.grad(l, list(fast.values()), create_graph=True)
        fast = {k: v - lr * g for (k, v), g in zip(fast.items(), gs)}
    return fast


for it in range(120):
    outer = []
    for tid in torch.randint(0, 8, (3,)).tolist():
        x, y = task(tid)
        fast = adapt(x[:10], y[:10])
        q = nn.functional.mse_loss(functional_call(net, fast, (x[10:],)), y[10:])
        outer.append(q)
        latest[tid] = q.detach()
    loss = torch.stack(outer).mean()
    meta.zero_grad()
    loss.backward()
    meta.step()
    if it % 30 == 0:
        print(it, "%.4f" % loss.item(), {k: round(float(v), 3) for k, v in sorted(latest.items())})
