# gradwatch-corpus: kind=none
"""Few-shot calibration of servo response curves by second-order MAML (functional_call)."""
import argparse

import torch
from torch import nn
from torch.func import functional_call


def make_net():
    return nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))


class ServoTask:
    def __init__(self):
        self.gain = torch.rand(()) * 2 + 0.5
        self.lag = torch.rand(()) * 3

    def sample(self, n):
        x = torch.rand(n, 1) * 6 - 3
        return x, self.gain * torch.sin(x + self.lag)


class MetaLearner:
    def __init__(self, inner_lr, inner_steps):
        self.net = make_net()
        self.rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr)) for k, _ in self.net.named_parameters()})
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.rates.parameters()], lr=2e-3)

    def adapt(self, x, y):
        fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = (functional_call(self.net, fast, (x,)) - y).pow(2).mean()
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {k: p - self.rates[k.replace(".", "_")] * g for (k, p), g in zip(fast.items(), grads)}
        return fast

    def outer(self, tasks):
        total = 0.0
        for task in tasks:
            fast = self.adapt(*task.sample(8))
            x, y = task.sample(16)
            total = total + (functional_call(self.net, fast, (x,)) - y).pow(2).mean()
        total = total / len(tasks)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=80)
    ap.add_argument("--tasks", type=int, default=3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    learner, ema = MetaLearner(0.05, 2), None
    for it in range(args.iters):
        loss = learner.outer([ServoTask() for _ in range(args.tasks)])
        ema = loss if ema is None else 0.9 * ema + 0.1 * loss
        if it % 20 == 0:
            print(f"{it} query mse {ema:.3f}")


if __name__ == "__main__":
    main()
