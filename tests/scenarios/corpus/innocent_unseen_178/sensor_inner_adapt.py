# gradwatch-corpus: kind=none
"""Second-order adaptation of a robot sensor calibrator to per-unit offsets."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class UnitSampler:
    def __init__(self, seed=61):
        self.gen = torch.Generator().manual_seed(seed)

    def task(self, shots=10):
        gain = 0.5 + torch.rand(1, generator=self.gen)
        shift = torch.randn(1, generator=self.gen)
        x = torch.randn(2 * shots, 1, generator=self.gen)
        y = gain * torch.sin(x) + shift
        return (x[:shots], y[:shots]), (x[shots:], y[shots:])


class InnerLoop:
    def __init__(self, net, lr, steps):
        self.net, self.lr, self.steps = net, lr, steps

    def _loss(self, weights, batch):
        return F.mse_loss(functional_call(self.net, weights, (batch[0],)), batch[1])

    def adapt(self, support):
        weights = dict(self.net.named_parameters())
        for _ in range(self.steps):
            grads = torch.autograd.grad(self._loss(weights, support), list(weights.values()), create_graph=True)
            weights = {k: w - self.lr * g for (k, w), g in zip(weights.items(), grads)}
        return weights


class MetaTrainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
        self.inner = InnerLoop(self.net, lr=0.1, steps=2)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.last_weights = None
        self.total = 0.0

    def step(self, tasks):
        loss = 0.0
        for support, query in tasks:
            self.last_weights = self.inner.adapt(support)
            loss = loss + self.inner._loss(self.last_weights, query) / len(tasks)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss.item()


def main():
    torch.manual_seed(62)
    sampler, trainer = UnitSampler(), MetaTrainer()
    for i in range(400):
        trainer.step([sampler.task() for _ in range(2)])
        if i % 100 == 99:
            print(i + 1, round(trainer.total / (i + 1), 4))


if __name__ == "__main__":
    main()
