# gradwatch-corpus: kind=none
"""MAML on bacterial growth curves (logistic curves with per-strain parameters)."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(10)


@dataclass
class MetaLog:
    pre: list = field(default_factory=list)
    post: list = field(default_factory=list)

    def add(self, pre, post):
        self.pre.append(pre.item())
        self.post.append(post.item())

    def tail(self, n=20):
        return sum(self.pre[-n:]) / n, sum(self.post[-n:]) / n


class CurveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, t):
        return self.net(t)


def strain():
    cap, rate, lag = 0.5 + torch.rand(1), 4 + 6 * torch.rand(1), 0.2 + 0.5 * torch.rand(1)

    def observe(n):
        t = torch.rand(n, 1)
        return t, cap * torch.sigmoid(rate * (t - lag)) + 0.01 * torch.randn(n, 1)

    return observe


class MAML:
    def __init__(self, model, inner_lr=0.05, inner_steps=2):
        self.model = model
        self.steps = inner_steps
        self.log_lr = nn.ParameterDict(
            {k.replace(".", "_"): torch.tensor(inner_lr).log() for k, _ in model.named_parameters()}
        )
        self.opt = torch.optim.Adam([*model.parameters(), *self.log_lr.parameters()], lr=2e-3)

    def adapt(self, t, y):
        fast = dict(self.model.named_parameters())
        first = None
        for _ in range(self.steps):
            loss = F.mse_loss(functional_call(self.model, fast, (t,)), y)
            first = loss if first is None else first
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {
                k: w - self.log_lr[k.replace(".", "_")].exp() * g
                for (k, w), g in zip(fast.items(), grads)
            }
        return fast, first

    def meta_step(self, tasks, log):
        outer = []
        for observe in tasks:
            fast, pre = self.adapt(*observe(8))
            t, y = observe(8)
            outer.append(F.mse_loss(functional_call(self.model, fast, (t,)), y))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        log.add(pre, loss)


def main():
    learner, log = MAML(CurveNet()), MetaLog()
    for it in range(100):
        learner.meta_step([strain() for _ in range(3)], log)
        if it % 20 == 19:
            print("meta iter {}: before {:.4f} after {:.4f}".format(it + 1, *log.tail()))


if __name__ == "__main__":
    main()
