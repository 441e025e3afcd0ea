# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(18)
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.full((), 0.03)) for k, _ in net.named_parameters()})
meta = torch.optim.Adam([*net.parameters(), *rates.parameters()], lr=2e-3)


def mse(w, x, y):
    return (functional_call(net, w, (x,)) - y).square().mean()


def adapt(x, y, steps=3):
    fast = dict(net.named_parameters())
    path = []
    for _ in range(steps):
        inner = mse(fast, x, y)
        path.append(inner)
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: w - rates[k.replace(".", "_")] * g for (k, w), g in zip(fast.items(), grads)}
    return fast, path


for it in range(450):
    meta.zero_grad()
    outer = []
    for _ in range(3):
        a, p = torch.rand(2) * 3
        x = torch.rand(16, 1) * 6 - 3
        y = (a + 0.5) * torch.sin(x + p)
        fast, path = adapt(x[:8], y[:8])
        q = mse(fast, x[8:], y[8:]) + 0.1 * path[-1]
        (q / 3).backward()
        outer.append(q.item())
    meta.step()
    if it % 90 == 0:
        print(it, sum(outer) / 3, min(r.item() for r in rates.values()))
