# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch


@dataclass
class MetaConfig:
    inner_lr: float = 0.05
    inner_steps: int = 2
    outer_lr: float = 2e-3
    tasks: int = 2
    steps: int = 400


class Functional:
    def parameters(self):
        raise NotImplementedError

    def apply(self, params, x):
        raise NotImplementedError


class SmallNet(Functional):
    def __init__(self, width=20):
        gen = torch.Generator().manual_seed(3)
        shapes = [(1, width), (width,), (width, 1), (1,)]
        self.theta = [
            (0.4 * torch.randn(*s, generator=gen)).requires_grad_(True) for s in shapes
        ]

    def parameters(self):
        return list(self.theta)

    def apply(self, params, x):
        w1, b1, w2, b2 = params
        return torch.tanh(x @ w1 + b1) @ w2 + b2


class Sine:
    def __init__(self, gen):
        self.amp = 0.5 + torch.rand(1, generator=gen)
        self.phase = 3 * torch.rand(1, generator=gen)
        self.gen = gen

    def sample(self, n=10):
        x = torch.rand(n, 1, generator=self.gen) * 6 - 3
        return x, self.amp * torch.sin(x + self.phase)


class InnerLoop:
    def __init__(self, net, config):
        self.net = net
        self.config = config
        self.adapted = None
        self.gains = []

    def error(self, params, data):
        x, y = data
        return (self.net.apply(params, x) - y).pow(2).mean()

    def trajectory(self, data):
        params = self.net.parameters()
        yield params
        for _ in range(self.config.inner_steps):
            grads = torch.autograd.grad(self.error(params, data), params, create_graph=True)
            params = [p - self.config.inner_lr * g for p, g in zip(params, grads)]
            yield params

    def outer_loss(self, task):
        query = task.sample()
        before = self.error(self.net.parameters(), query).detach()
        *_, self.adapted = self.trajectory(task.sample())
        after = self.error(self.adapted, query)
        self.gains.append((before - after.detach()).item())
        return after


def main():
    config = MetaConfig()
    gen = torch.Generator().manual_seed(9)
    net = SmallNet()
    inner = InnerLoop(net, config)
    opt = torch.optim.Adam(net.parameters(), lr=config.outer_lr)
    for step in range(config.steps):
        opt.zero_grad()
        total = 0.0
        for _ in range(config.tasks):
            total = total + inner.outer_loss(Sine(gen)) / config.tasks
        total.backward()
        opt.step()
        if step % 100 == 0:
            recent = inner.gains[-20:]
            print(step, round(total.item(), 4), round(sum(recent) / len(recent), 4))


if __name__ == "__main__":
    main()
