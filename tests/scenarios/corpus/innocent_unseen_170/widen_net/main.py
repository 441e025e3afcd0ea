# gradwatch-corpus: kind=none
"""Regression on a rough surface with a network that is widened until it has its full size."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from growth import Grower


class Net(nn.Module):
    def __init__(self, width=100):
        super().__init__()
        self.first = nn.Linear(40, width)
        self.second = nn.Linear(width, 8)

    @property
    def width(self):
        return self.first.out_features

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


class Surface:
    def __init__(self, seed=70):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(40, 8, generator=self.gen) / 6

    def batch(self, n=48):
        x = torch.randn(n, 40, generator=self.gen)
        return x, torch.sin(3 * x @ self.w)


class Trainer:
    def __init__(self):
        self.net = Net()
        self.grower = Grower()
        self.fresh_optimizer()

    def fresh_optimizer(self):
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def step(self, step, x, y):
        loss = F.mse_loss(self.net(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if self.grower.wants(step, self.net):
            self.grower.grow(step, self.net)
            self.fresh_optimizer()
        return loss.item()


def main():
    torch.manual_seed(71)
    torch.set_num_threads(1)
    data = Surface()
    trainer = Trainer()
    for step in range(220):
        loss = trainer.step(step, *data.batch())
        if step % 40 == 0:
            print(f"{step:3d} width {trainer.net.width:4d} loss {loss:.4f}")
    print("grown", len(trainer.grower.events), "times, last", trainer.grower.events[-1])


if __name__ == "__main__":
    main()
