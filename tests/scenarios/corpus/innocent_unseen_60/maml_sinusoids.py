# gradwatch-corpus: kind=none
"""MAML for sinusoid regression, second order, with functional parameters (Finn et al. 2017)."""
import argparse
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SineTask:
    def __init__(self):
        self.amp = 0.1 + 4.9 * torch.rand(1)
        self.phase = math.pi * torch.rand(1)

    def sample(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x - self.phase)


class MetaNet(nn.Module):
    """MLP which can run on a given dictionary of weights instead of its own."""

    def __init__(self, width=32):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, x, weights=None):
        w = weights if weights is not None else OrderedDict(self.named_parameters())
        x = F.relu(F.linear(x, w["l1.weight"], w["l1.bias"]))
        x = F.relu(F.linear(x, w["l2.weight"], w["l2.bias"]))
        return F.linear(x, w["l3.weight"], w["l3.bias"])


def adapt(net, x, y, inner_lr, steps, create_graph=True):
    """Gradient steps on the support set; returns the fast weights after each of them."""
    fast = OrderedDict(net.named_parameters())
    trajectory = [fast]
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
        fast = OrderedDict((name, p - inner_lr * g) for (name, p), g in zip(fast.items(), grads))
        trajectory.append(fast)
    return trajectory


def meta_loss(net, tasks, args):
    """Query loss after adaptation, summed over tasks; the intermediate weights count for a tenth."""
    total = 0.0
    for task in tasks:
        xs, ys = task.sample(args.shots)
        xq, yq = task.sample(args.shots)
        trajectory = adapt(net, xs, ys, args.inner_lr, args.inner_steps)
        total += F.mse_loss(net(xq, trajectory[-1]), yq)
        for fast in trajectory[1:-1]:
            total += 0.1 * F.mse_loss(net(xq, fast), yq)
    return total / len(tasks)


def evaluate(net, args, n_tasks=10):
    err = 0.0
    for _ in range(n_tasks):
        task = SineTask()
        xs, ys = task.sample(args.shots)
        fast = adapt(net, xs, ys, args.inner_lr, 3, create_graph=False)[-1]
        xq, yq = task.sample(50)
        with torch.no_grad():
            err += F.mse_loss(net(xq, fast), yq).item()
    return err / n_tasks


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--meta-iters", type=int, default=150)
    ap.add_argument("--tasks", type=int, default=4)
    ap.add_argument("--shots", type=int, default=10)
    ap.add_argument("--inner-lr", type=float, default=0.01)
    ap.add_argument("--inner-steps", type=int, default=2)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(31)

    net = MetaNet()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    losses = []
    for it in range(args.meta_iters):
        loss = meta_loss(net, [SineTask() for _ in range(args.tasks)], args)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(float(loss))
        if it % 30 == 0:
            print(f"iteration {it}: meta {losses[-1]:.3f} adapted {evaluate(net, args):.3f}")


if __name__ == "__main__":
    main()
