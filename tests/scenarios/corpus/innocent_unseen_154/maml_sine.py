# gradwatch-corpus: kind=none
# MAML on sinusoid regression, second order, 3 inner steps.
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(0)
torch.set_num_threads(1)


class SineTask:
    def __init__(self):
        self.amp = 0.1 + 4.9 * torch.rand(())
        self.phase = math.pi * torch.rand(())

    def sample(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x - self.phase)


class MAML:
    def __init__(self, net, inner_lr=0.01, inner_steps=3, meta_lr=1e-3):
        self.net = net
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.opt = torch.optim.Adam(net.parameters(), meta_lr)

    def adapt(self, x, y, create_graph=True):
        fast = OrderedDict(self.net.named_parameters())
        trace = []
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=create_graph)
            fast = OrderedDict((n, p - self.inner_lr * g) for (n, p), g in zip(fast.items(), grads))
            trace.append(loss.item())
        return fast, trace

    def meta_step(self, tasks, k=10):
        outer = []
        for task in tasks:
            fast, _ = self.adapt(*task.sample(k))
            xq, yq = task.sample(k)
            outer.append(F.mse_loss(functional_call(self.net, fast, (xq,)), yq))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def evaluate(self, n=10):
        post = 0.0
        for _ in range(n):
            task = SineTask()
            fast, _ = self.adapt(*task.sample(10), create_graph=False)
            with torch.no_grad():
                x, y = task.sample(50)
                post += F.mse_loss(functional_call(self.net, fast, (x,)), y).item()
        return post / n


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(1, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
    maml = MAML(net)
    losses = []
    for it in range(100):
        losses.append(maml.meta_step([SineTask() for _ in range(4)]))
        if (it + 1) % 25 == 0:
            print(f"iter {it + 1} meta-loss {sum(losses[-25:]) / 25:.3f} eval {maml.evaluate():.3f}")
