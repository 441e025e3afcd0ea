# gradwatch-corpus: kind=none
# Meta-learning of soil moisture curves: each field is a task, two inner steps, second order.
import functools

import numpy as np
import torch
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(99)
rng = np.random.default_rng(99)

N_META = 320
TASKS = 2

net = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
inner_lr = torch.nn.Parameter(torch.tensor(0.1))
opt.add_param_group({"params": [inner_lr], "lr": 1e-3})


def field():
    depth, rate = rng.uniform(0.5, 1.5), rng.uniform(0.8, 2.5)

    def draw(n):
        x = torch.from_numpy(rng.uniform(-2, 2, (n, 1)).astype(np.float32))
        return x, depth * torch.sigmoid(rate * x) + 0.02 * torch.randn(n, 1)

    return draw


def mse(weights, x, y):
    return (functional_call(net, weights, (x,)) - y).pow(2).mean()


def adapt(draw, steps=2):
    fast = dict(net.named_parameters())
    for _ in range(steps):
        loss = mse(fast, *draw(10))
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: w - inner_lr * g for (k, w), g in zip(fast.items(), grads)}
    return functools.partial(mse, fast)


results = np.empty((N_META, TASKS), dtype=object)     # (before, after) of every task
for it in range(N_META):
    opt.zero_grad()
    for t in range(TASKS):
        draw = field()
        query = draw(15)
        with torch.no_grad():
            before = mse(dict(net.named_parameters()), *query)
        after = adapt(draw)(*query)
        (after / TASKS).backward()
        results[it, t] = (before, after.detach())
    opt.step()
    if it % 64 == 63:
        chunk = results[it - 63:it + 1].ravel()
        b, a = (sum(float(r[j]) for r in chunk) / len(chunk) for j in (0, 1))
        print(f"{it + 1:4d}  before {b:.4f}  after {a:.4f}  inner lr {inner_lr.item():.4f}")
