# gradwatch-corpus: kind=none
"""MAML on sinusoids; the last third of training runs ANIL (inner loop on the head only)."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(5)


class SinusoidTask:
    def __init__(self):
        self.amp = 0.1 + 4.9 * torch.rand(())
        self.phase = 3.14 * torch.rand(())

    def sample(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        return self.head(self.body(x))


class MAML:
    def __init__(self, net, inner_lr=0.01, inner_steps=3, meta_lr=1e-3, tasks=4):
        self.net, self.inner_lr, self.inner_steps, self.tasks = net, inner_lr, inner_steps, tasks
        self.meta_opt = torch.optim.Adam(net.parameters(), lr=meta_lr)
        self.adapted_norms, self.history = [], []

    def adapt(self, x, y, only=None, create_graph=True):
        fast = OrderedDict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            names = [n for n in fast if only is None or n.startswith(only)]
            grads = torch.autograd.grad(loss, [fast[n] for n in names], create_graph=create_graph)
            fast = OrderedDict(fast)
            for n, g in zip(names, grads):
                fast[n] = fast[n] - self.inner_lr * g
        return fast

    def outer_step(self, only=None):
        outer = []
        for _ in range(self.tasks):
            task = SinusoidTask()
            fast = self.adapt(*task.sample(10), only=only)
            qx, qy = task.sample(10)
            outer.append(F.mse_loss(functional_call(self.net, fast, (qx,)), qy))
            self.adapted_norms.append(fast["head.weight"].norm().item())
        loss = torch.stack(outer).mean()
        self.meta_opt.zero_grad()
        loss.backward()
        self.meta_opt.step()
        self.history.append(loss.item())

    def evaluate(self, n=5):
        errors = []
        for _ in range(n):
            task = SinusoidTask()
            fast = self.adapt(*task.sample(10), create_graph=False)
            with torch.no_grad():
                qx, qy = task.sample(50)
                errors.append(F.mse_loss(functional_call(self.net, fast, (qx,)), qy).item())
        return sum(errors) / n


meta = MAML(Net())
for it in range(105):
    meta.outer_step(only="head" if it >= 70 else None)
    if (it + 1) % 35 == 0:
        recent = meta.history[-35:]
        print(f"iter {it + 1} query loss {sum(recent) / 35:.3f} eval {meta.evaluate():.3f}")
