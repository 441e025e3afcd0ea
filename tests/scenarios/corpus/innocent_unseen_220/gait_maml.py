# gradwatch-corpus: kind=none
"""MAML for leg-gait phase curves: adapt to a new leg from a few samples."""
import argparse
import math
from collections import OrderedDict
from statistics import mean

import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class Leg:
    def __init__(self):
        self.amp = float(torch.rand(()) * 2 + 0.5)
        self.phase = float(torch.rand(()) * math.pi)
        self.knee = float(torch.rand(()) * 0.5)

    def sample(self, n):
        t = torch.rand(n, 1) * 2 * math.pi
        angle = self.amp * torch.sin(t + self.phase) + self.knee * torch.sin(2 * t)
        return t / math.pi - 1, angle


class GaitNet(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.a = nn.Linear(1, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, t):
        h = torch.tanh(self.a(t))
        h = torch.tanh(self.b(h))
        return self.c(h)


class InnerLoop:
    def __init__(self, net, steps, init_lr):
        self.net = net
        self.steps = steps
        self.log_lr = OrderedDict()
        for name, _ in net.named_parameters():
            self.log_lr[name] = nn.Parameter(torch.tensor(math.log(init_lr)))
        self.fast = None

    def adapt(self, x, y):
        self.fast = OrderedDict(self.net.named_parameters())
        for _ in range(self.steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            updated = OrderedDict()
            for (name, weight), grad in zip(self.fast.items(), grads):
                updated[name] = weight - self.log_lr[name].exp() * grad
            self.fast = updated
        return self

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))


def outer_step(inner, opt, meta_batch, shots):
    total = 0.0
    opt.zero_grad()
    for _ in range(meta_batch):
        leg = Leg()
        inner.adapt(*leg.sample(shots))
        x, y = leg.sample(2 * shots)
        query = F.mse_loss(inner.predict(x), y) / meta_batch
        query.backward()
        total += query.item()
    inner.fast = None
    opt.step()
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=80)
    parser.add_argument("--meta-batch", type=int, default=3)
    parser.add_argument("--shots", type=int, default=12)
    args = parser.parse_args()
    torch.manual_seed(58)
    net = GaitNet()
    inner = InnerLoop(net, steps=3, init_lr=0.05)
    params = list(net.parameters()) + list(inner.log_lr.values())
    opt = torch.optim.Adam(params, lr=2e-3)
    curve = []
    for it in range(args.iters):
        curve.append(outer_step(inner, opt, args.meta_batch, args.shots))
        if (it + 1) % 20 == 0:
            rates = [float(v.detach().exp()) for v in inner.log_lr.values()]
            print(f"{it + 1}: query {mean(curve[-20:]):.4f} lr {mean(rates):.4f}")


if __name__ == "__main__":
    main()
