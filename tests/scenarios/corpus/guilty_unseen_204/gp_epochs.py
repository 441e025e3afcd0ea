# gradwatch-corpus: kind=second-backward
# first-bad: 1
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Hyper:
    inducing: int = 12
    noise: float = 0.1
    lr: float = 1e-2
    epochs: int = 20


class Hook:
    def epoch_start(self, model):
        pass

    def epoch_end(self, model, mean_loss):
        pass


class RefreshPrior(Hook):
    def epoch_start(self, model):
        model.refresh()  # <- culprit


class Printer(Hook):
    def __init__(self):
        self.epoch = 0

    def epoch_end(self, model, mean_loss):
        print(self.epoch, round(mean_loss, 4))
        self.epoch += 1


class RBF(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(-0.5))
        self.log_gain = nn.Parameter(torch.tensor(0.0))

    def forward(self, a, b):
        dist = (a[:, None] - b[None]).pow(2).sum(-1)
        return self.log_gain.exp() * torch.exp(-dist / self.log_scale.exp())


class SparseGP(nn.Module):
    def __init__(self, hyper):
        super().__init__()
        self.kernel = RBF()
        self.register_buffer("z", torch.linspace(-2, 2, hyper.inducing)[:, None])
        self.mean = nn.Parameter(0.1 * torch.randn(hyper.inducing))
        self.noise = hyper.noise
        self.chol = None

    def refresh(self):
        gram = self.kernel(self.z, self.z) + 1e-3 * torch.eye(len(self.z))
        self.chol = torch.linalg.cholesky(gram)  # <- culprit

    def penalty(self):
        white = torch.linalg.solve_triangular(self.chol, self.mean[:, None], upper=False)
        return 0.5 * white.pow(2).sum()

    def forward(self, x):
        weights = torch.cholesky_solve(self.mean[:, None], self.chol)
        return (self.kernel(x, self.z) @ weights).squeeze(1)

    def loss(self, x, y):
        fit = 0.5 * (self(x) - y).pow(2).mean() / self.noise
        return fit + 0.01 * self.penalty()


class Loop:
    def __init__(self, model, hyper, hooks):
        self.model, self.hyper, self.hooks = model, hyper, hooks
        self.opt = torch.optim.Adam(model.parameters(), lr=hyper.lr)

    def run(self, batches):
        for _ in range(self.hyper.epochs):
            for hook in self.hooks:
                hook.epoch_start(self.model)
            total = 0.0
            for x, y in batches:
                loss = self.model.loss(x, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item()
            for hook in self.hooks:
                hook.epoch_end(self.model, total / len(batches))


def main():
    torch.manual_seed(14)
    hyper = Hyper()
    x = torch.rand(25, 20, 1) * 4 - 2
    y = torch.sin(2 * x).squeeze(-1) + 0.1 * torch.randn(25, 20)
    Loop(SparseGP(hyper), hyper, [RefreshPrior(), Printer()]).run(list(zip(x, y)))


if __name__ == "__main__":
    main()
