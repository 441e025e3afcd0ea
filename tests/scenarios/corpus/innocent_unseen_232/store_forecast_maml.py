# gradwatch-corpus: kind=none
"""Cold-start demand forecasting: meta-learned initial weights, adapted to each new store by two inner steps."""
import math
from collections import OrderedDict

import torch
from torch import nn
from torch.func import functional_call


class StoreSampler:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n=24):
        amp = torch.rand(1, generator=self.gen) * 2 + 0.5
        phase = torch.rand(1, generator=self.gen) * 2 * math.pi
        t = torch.rand(2 * n, 1, generator=self.gen) * 2 * math.pi
        y = amp * torch.sin(t + phase)
        x = torch.cat([torch.sin(t), torch.cos(t), t / math.pi - 1], dim=1)
        return (x[:n], y[:n]), (x[n:], y[n:])


def build():
    return nn.Sequential(
        nn.Linear(3, 24),
        nn.Tanh(),
        nn.Linear(24, 24),
        nn.Tanh(),
        nn.Linear(24, 1),
    )


class MetaForecaster:
    def __init__(self, net, inner_lr=0.05, inner_steps=2):
        self.net = net
        self.log_lr = nn.Parameter(torch.tensor(math.log(inner_lr)))
        self.inner_steps = inner_steps
        self.best = math.inf
        self.best_state = None

    def parameters(self):
        return list(self.net.parameters()) + [self.log_lr]

    def adapt(self, support):
        x, y = support
        fast = OrderedDict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = (functional_call(self.net, fast, (x,)) - y).pow(2).mean()
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            lr = self.log_lr.exp()
            fast = OrderedDict((k, p - lr * g) for (k, p), g in zip(fast.items(), grads))
        return fast

    def meta_loss(self, tasks):
        total = 0.0
        for support, query in tasks:
            fast = self.adapt(support)
            x, y = query
            total = total + (functional_call(self.net, fast, (x,)) - y).pow(2).mean()
        return total / len(tasks)

    def remember(self, value):
        if value < self.best:
            self.best = value
            self.best_state = {k: v.detach().clone() for k, v in self.net.state_dict().items()}


def main():
    torch.manual_seed(12)
    sampler = StoreSampler(12)
    meta = MetaForecaster(build())
    opt = torch.optim.Adam(meta.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)
    curve = []
    for it in range(100):
        tasks = [sampler.draw() for _ in range(3)]
        loss = meta.meta_loss(tasks)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        curve.append(loss.item())
        meta.remember(curve[-1])
        if it % 25 == 24:
            print(f"it {it + 1} query mse {sum(curve[-25:]) / 25:.4f} inner lr {meta.log_lr.exp().item():.4f}")
    meta.net.load_state_dict(meta.best_state)
    print(f"best {meta.best:.4f}")


if __name__ == "__main__":
    main()
