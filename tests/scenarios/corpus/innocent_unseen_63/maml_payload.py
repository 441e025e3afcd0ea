# gradwatch-corpus: kind=none
"""MAML for inverse dynamics: adapt to an unknown payload from a handful of samples."""
import argparse
import math

import torch
from torch.func import functional_call
from torch import nn


class PayloadTask:
    """A pendulum-like joint with its own mass and length."""

    def __init__(self):
        self.mass = 0.5 + torch.rand(()) * 1.5
        self.length = 0.4 + torch.rand(()) * 0.4
        self.damping = 0.1 + torch.rand(()) * 0.2

    def sample(self, n):
        q = (torch.rand(n) * 2 - 1) * math.pi
        dq, ddq = torch.randn(n), torch.randn(n)
        inertia = self.mass * self.length ** 2
        torque = inertia * ddq + self.damping * dq + self.mass * self.length * 3.0 * torch.sin(q)
        x = torch.stack([q.sin(), q.cos(), dq, ddq], dim=1)
        return x, torque.unsqueeze(1) + 0.02 * torch.randn(n, 1)


class InverseDynamics(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def task_loss(model, params, sample):
    x, torque = sample
    return (functional_call(model, params, (x,)) - torque).pow(2).mean()


def adapt(model, params, support, steps, lr, create_graph):
    """Inner loop: a few functional gradient steps, differentiable if asked for."""
    for _ in range(steps):
        loss = task_loss(model, params, support)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=create_graph)
        params = {name: p - lr * g for (name, p), g in zip(params.items(), grads)}
        if not create_graph:
            params = {name: p.detach().requires_grad_(True) for name, p in params.items()}
    return params


def meta_step(model, optimizer, args):
    params = dict(model.named_parameters())
    query_losses = []
    for _ in range(args.tasks):
        task = PayloadTask()
        fast = adapt(model, params, task.sample(args.shots), args.inner_steps, args.inner_lr, True)
        query_losses.append(task_loss(model, fast, task.sample(2 * args.shots)))
    meta_loss = torch.stack(query_losses).mean()
    optimizer.zero_grad()
    meta_loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    return meta_loss.item()


def evaluate(model, args):
    """Error on new payloads after adaptation, first order is enough here."""
    start = {k: v.detach().clone().requires_grad_(True) for k, v in model.named_parameters()}
    errors = []
    for _ in range(4):
        task = PayloadTask()
        fast = adapt(model, start, task.sample(args.shots), args.inner_steps, args.inner_lr, False)
        with torch.no_grad():
            errors.append(task_loss(model, fast, task.sample(50)).item())
    return sum(errors) / len(errors)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iterations", type=int, default=120)
    ap.add_argument("--tasks", type=int, default=3)
    ap.add_argument("--shots", type=int, default=10)
    ap.add_argument("--inner-steps", type=int, default=2)
    ap.add_argument("--inner-lr", type=float, default=0.03)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    model = InverseDynamics()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    for it in range(args.iterations):
        losses.append(meta_step(model, optimizer, args))
        if (it + 1) % 30 == 0:
            print(f"{it + 1} meta {sum(losses[-30:]) / 30:.4f} new payloads {evaluate(model, args):.4f}")


if __name__ == "__main__":
    main()
