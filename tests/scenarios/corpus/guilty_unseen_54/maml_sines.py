# gradwatch-corpus: kind=second-backward
# holder: meta_loss
# first-bad: 25
"""MAML on sinusoids; the number of tasks in a meta batch grows with training."""
import math

import torch
import torch.nn.functional as F
from torch.func import functional_call


class Regressor(torch.nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.l1 = torch.nn.Linear(1, h)
        self.l2 = torch.nn.Linear(h, h)
        self.l3 = torch.nn.Linear(h, 1)

    def forward(self, x):
        return self.l3(F.relu(self.l2(F.relu(self.l1(x)))))


class SineTask:
    def __init__(self, gen):
        self.amp = 0.5 + 4.5 * torch.rand(1, generator=gen)
        self.phase = math.pi * torch.rand(1, generator=gen)
        self.gen = gen

    def sample(self, k):
        x = 10 * torch.rand(k, 1, generator=self.gen) - 5
        return x, self.amp * torch.sin(x + self.phase)


def adapt(net, support, inner_lr, inner_steps):
    x, y = support
    fast = dict(net.named_parameters())
    for _ in range(inner_steps):
        inner = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: w - inner_lr * g for (k, w), g in zip(fast.items(), grads)}
    return fast


def meta_step(net, tasks, opt, inner_lr=0.01, inner_steps=2):
    opt.zero_grad()
    meta_loss = torch.zeros(())
    for task in tasks:
        fast = adapt(net, task.sample(10), inner_lr, inner_steps)
        xq, yq = task.sample(10)
        meta_loss = meta_loss + F.mse_loss(functional_call(net, fast, (xq,)), yq) / len(tasks)  # <- culprit
        meta_loss.backward()  # <- culprit
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    return meta_loss.item()


def tasks_for(it, gen, most=4):
    return [SineTask(gen) for _ in range(min(most, 1 + it // 25))]


def main(iters=140):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    net = Regressor()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    smooth = None
    for it in range(iters):
        val = meta_step(net, tasks_for(it, gen), opt)
        smooth = val if smooth is None else 0.95 * smooth + 0.05 * val
        if it % 20 == 0:
            print(f"[{it:4d}] meta loss {smooth:.3f}")


if __name__ == "__main__":
    main()
