# gradwatch-corpus: kind=none
"""MAML for system identification of a cart with unknown mass/friction; inner steps ramp up."""
import argparse
from collections import OrderedDict, deque

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class DynamicsNet(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, d), nn.Tanh(), nn.Linear(d, d), nn.Tanh(), nn.Linear(d, 2))

    def forward(self, x):
        return self.net(x)


class CartTasks:
    def sample(self):
        mass, fric = 0.5 + 2 * torch.rand(()), 0.5 * torch.rand(())

        def draw(n):
            x = torch.randn(n, 3)
            acc = (x[:, 2] - fric * x[:, 1]) / mass
            return x, torch.stack([0.1 * x[:, 1], 0.1 * acc], -1) * 5

        return draw


class InnerSchedule:
    def __init__(self, top=5, every=12):
        self.top, self.every = top, every

    def __call__(self, it):
        return min(self.top, 1 + it // self.every)


class Maml:
    def __init__(self, net, inner_lr, meta_lr):
        self.net = net
        self.log_lr = nn.Parameter(torch.tensor(inner_lr).log())
        self.opt = torch.optim.Adam([*net.parameters(), self.log_lr], lr=meta_lr)
        self.fast = None
        self.trace = []
        self.curves = deque(maxlen=16)

    def adapt(self, support, n_steps):
        x, y = support
        self.fast = OrderedDict(self.net.named_parameters())
        self.trace = []
        for _ in range(n_steps):
            loss = F.mse_loss(functional_call(self.net, dict(self.fast), (x,)), y)
            self.trace.append(loss)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = OrderedDict(
                (k, p - self.log_lr.exp() * g) for (k, p), g in zip(self.fast.items(), grads))
        return self.fast

    def meta_step(self, tasks, n_tasks, n_steps):
        total = 0.0
        for _ in range(n_tasks):
            draw = tasks.sample()
            fast = self.adapt(draw(10), n_steps)
            x, y = draw(20)
            total = total + F.mse_loss(functional_call(self.net, dict(fast), (x,)), y)
            self.curves.append(torch.stack(self.trace).detach())
        total = total / n_tasks
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        return total.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=100)
    ap.add_argument("--tasks", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(52)
    torch.set_num_threads(1)
    meta, tasks, ramp = Maml(DynamicsNet(), 0.1, 2e-3), CartTasks(), InnerSchedule()
    for it in range(args.iters):
        q = meta.meta_step(tasks, args.tasks, ramp(it))
        if it % 20 == 0:
            print(f"it {it:3d} inner {ramp(it)} query {q:.4f} lr {meta.log_lr.exp().item():.4f}")


if __name__ == "__main__":
    main()
