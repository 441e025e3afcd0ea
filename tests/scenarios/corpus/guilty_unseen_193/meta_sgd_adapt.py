# gradwatch-corpus: kind=graph-chain
# holder: learner.fast | self.fast | self.fast[k]
# first-bad: 1
import argparse
import math

import torch
import torch.nn as nn
from torch.func import functional_call


class Regressor(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.l1 = nn.Linear(1, hidden)
        self.l2 = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x)))


class Learner(nn.Module):
    """Adapts fast weights with learnt step sizes; the step sizes are what is trained."""

    def __init__(self, net, init_lr):
        super().__init__()
        self.net = [net]
        self.init = {k: v.detach().clone() for k, v in net.named_parameters()}
        self.log_lr = nn.ParameterDict({
            k.replace(".", "_"): nn.Parameter(torch.full_like(v, math.log(init_lr))) for k, v in self.init.items()})
        self.reset()

    def reset(self):
        self.fast = {k: v.clone().requires_grad_() for k, v in self.init.items()}

    def predict(self, x):
        return functional_call(self.net[0], self.fast, (x,))

    def adapt(self, x, y):
        leaves = {k: v.detach().requires_grad_() for k, v in self.fast.items()}
        inner = (functional_call(self.net[0], leaves, (x,)) - y).pow(2).mean()
        grads = torch.autograd.grad(inner, list(leaves.values()))
        for (k, w), g in zip(list(self.fast.items()), grads):
            self.fast[k] = w - self.log_lr[k.replace(".", "_")].exp() * g  # <- culprit
        return inner.item()


class SineSource:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.phase = 0.0

    def draw(self, n):
        x = torch.rand(n, 1, generator=self.g) * 6 - 3
        return x, torch.sin(x + self.phase)

    def drift(self):
        self.phase += 0.02


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--shots", type=int, default=16)
    p.add_argument("--hidden", type=int, default=16)
    p.add_argument("--inner-lr", type=float, default=0.02)
    p.add_argument("--meta-lr", type=float, default=5e-3)
    args = p.parse_args()
    torch.manual_seed(0)
    net = Regressor(args.hidden).requires_grad_(False)
    learner = Learner(net, args.inner_lr)
    opt = torch.optim.Adam(learner.parameters(), lr=args.meta_lr)
    source = SineSource(5)
    running = 0.0
    for step in range(args.steps):
        support, query = source.draw(args.shots), source.draw(args.shots)
        learner.adapt(*support)
        x, y = query
        outer = (learner.predict(x) - y).pow(2).mean()
        opt.zero_grad()
        outer.backward(retain_graph=True)
        opt.step()
        source.drift()
        running = 0.98 * running + 0.02 * outer.item()
        if (step + 1) % 100 == 0:
            lrs = torch.cat([v.detach().flatten() for v in learner.log_lr.values()]).exp()
            print(f"step {step + 1} query mse {running:.4f} mean inner lr {lrs.mean().item():.4f}")


if __name__ == "__main__":
    main()
