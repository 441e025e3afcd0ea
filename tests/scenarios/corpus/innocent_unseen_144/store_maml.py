# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
from torch import nn
from torch.func import functional_call

torch.manual_seed(47)


@dataclass
class Meta:
    inner_lr: float = 0.1
    inner_steps: int = 2
    stores_per_round: int = 3
    rounds: int = 500


class Store:
    """One shop: its own weekday pattern."""

    def __init__(self):
        self.amp, self.shift = 0.5 + torch.rand(()), 3 * torch.rand(())

    def days(self, n):
        d = torch.rand(n, 1) * 6 - 3
        return d, self.amp * torch.sin(d + self.shift)


class MetaLearner:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.Adam(net.parameters(), 2e-3)

    def adapt(self, store):
        fast = dict(self.net.named_parameters())
        for _ in range(self.cfg.inner_steps):
            x, y = store.days(8)
            inner = nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(inner, tuple(fast.values()), create_graph=True)
            fast = {k: w - self.cfg.inner_lr * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    def round(self):
        outer = []
        for store in (Store() for _ in range(self.cfg.stores_per_round)):
            fast = self.adapt(store)
            x, y = store.days(10)
            outer.append(nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


learner = MetaLearner(nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)), Meta())
hist = [learner.round() for _ in range(learner.cfg.rounds)]
print(sum(hist[:50]) / 50, "->", sum(hist[-50:]) / 50)
