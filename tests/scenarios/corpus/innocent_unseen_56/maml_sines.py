# gradwatch-corpus: kind=none
"""Second order MAML with learned per-layer step sizes (Meta-SGD style) and a multi-step outer loss."""
import argparse
from collections import OrderedDict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Net(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(1, h), nn.Linear(h, h), nn.Linear(h, 1)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class Sines:
    def __init__(self, shots=8):
        self.shots = shots

    def task(self):
        amp, phase = torch.rand(1) * 2 + 0.5, torch.rand(1) * 3.14
        x = torch.rand(2 * self.shots, 1) * 8 - 4
        y = amp * torch.sin(x + phase)
        return (x[:self.shots], y[:self.shots]), (x[self.shots:], y[self.shots:])


class Learner(nn.Module):
    def __init__(self, net, steps, lr):
        super().__init__()
        self.net, self.steps = net, steps
        names = [n.replace(".", "_") for n, _ in net.named_parameters()]
        self.rates = nn.ParameterDict({n: nn.Parameter(torch.tensor(lr)) for n in names})
        self.fast = None

    def reset(self):
        self.fast = OrderedDict(self.net.named_parameters())

    def loss(self, data):
        x, y = data
        return F.mse_loss(functional_call(self.net, self.fast, (x,)), y)

    def inner(self, support):
        loss = self.loss(support)
        grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=self.training)
        for (name, w), g in zip(list(self.fast.items()), grads):
            self.fast[name] = w - self.rates[name.replace(".", "_")] * g
        return loss

    def episode(self, support, query, msl):
        self.reset()
        losses = []
        for _ in range(self.steps):
            self.inner(support)
            losses.append(self.loss(query))
        return sum(w * l for w, l in zip(msl, losses)), losses[-1]


def msl_weights(steps, progress):
    w = torch.full((steps,), (1 - progress) / steps)
    w[-1] += progress
    return w


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--tasks", type=int, default=4)
    ap.add_argument("--steps", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(23)
    torch.set_num_threads(1)
    data, learner = Sines(), Learner(Net(), args.steps, 0.05)
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    recent = deque(maxlen=10)
    for it in range(args.iters):
        msl = msl_weights(args.steps, min(1.0, it / 80))
        total, finals = 0.0, []
        for _ in range(args.tasks):
            support, query = data.task()
            outer, final = learner.episode(support, query, msl)
            total = total + outer / args.tasks
            finals.append(final)
        opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 10.0)
        opt.step()
        recent.append(torch.stack(finals).mean().detach())
        if it % 20 == 0:
            print(it, total.item(), torch.stack(list(recent)).mean().item())


main()
