# gradwatch-corpus: kind=none
"""Two-depth soil moisture model; the head losses are weighted by their gradient size in the trunk."""
import argparse
import logging

import torch
from torch import nn

LOG = logging.getLogger("soil")


class Encoder(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.ELU(), nn.Linear(width, width), nn.ELU())

    def forward(self, x):
        return self.net(x)


class SoilModel(nn.Module):
    def __init__(self, n_in=9, width=28):
        super().__init__()
        self.encoder = Encoder(n_in, width)
        self.shallow = nn.Linear(width, 1)
        self.deep = nn.Linear(width, 1)

    def forward(self, x):
        z = self.encoder(x)
        return self.shallow(z).squeeze(1), self.deep(z).squeeze(1)


class GradBalance:
    """Every few steps, set the weights so that both tasks push the trunk equally."""

    def __init__(self, every, momentum=0.8):
        self.every = every
        self.momentum = momentum
        self.weights = {"shallow": 1.0, "deep": 1.0}

    def _norm(self, loss, params):
        grads = torch.autograd.grad(loss, params, retain_graph=True)
        return torch.sqrt(sum(g.pow(2).sum() for g in grads)).item()

    def before_backward(self, step, losses, params):
        if step % self.every:
            return
        norms = {k: self._norm(v, params) for k, v in losses.items()}
        mean = sum(norms.values()) / len(norms)
        for k, n in norms.items():
            fresh = mean / (n + 1e-8)
            self.weights[k] = self.momentum * self.weights[k] + (1 - self.momentum) * min(fresh, 5.0)
        LOG.info("step %d weights %s", step, {k: round(w, 2) for k, w in self.weights.items()})


class Engine:
    def __init__(self, model, balance, lr):
        self.model = model
        self.balance = balance
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.book = {"shallow": 0.0, "deep": 0.0}

    def _backward(self, losses):
        last = len(losses) - 1
        for i, (name, loss) in enumerate(losses.items()):
            (self.balance.weights[name] * loss).backward(retain_graph=i < last)

    def step(self, n, batch):
        x, top, bottom = batch
        p_top, p_bottom = self.model(x)
        losses = {"shallow": nn.functional.mse_loss(p_top, top),
                  "deep": nn.functional.l1_loss(p_bottom, bottom)}
        self.balance.before_backward(n, losses, list(self.model.encoder.parameters()))
        self.opt.zero_grad()
        self._backward(losses)
        self.opt.step()
        for name, loss in losses.items():
            self.book[name] += float(loss.detach())


def stations(n, size):
    for _ in range(n):
        x = torch.randn(size, 9)
        top = torch.tanh(x[:, 0] + x[:, 1])
        yield x, top, 0.3 * top + 0.7 * torch.tanh(x[:, 2] - x[:, 3])


def main():
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("--steps", type=int, default=120)
    cli.add_argument("--balance-every", type=int, default=20)
    cli.add_argument("--lr", type=float, default=4e-3)
    a = cli.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(19)
    engine = Engine(SoilModel(), GradBalance(a.balance_every), a.lr)
    for n, batch in enumerate(stations(a.steps, 40)):
        engine.step(n, batch)
    LOG.info("mean losses %s", {k: round(v / a.steps, 4) for k, v in engine.book.items()})


if __name__ == "__main__":
    main()
