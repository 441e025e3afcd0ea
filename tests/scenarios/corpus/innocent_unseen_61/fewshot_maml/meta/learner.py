"""Model-agnostic meta-learning with one learnable inner rate per tensor (Meta-SGD light)."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class MetaLearner:
    def __init__(self, width, inner_steps, meta_lr=2e-3):
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))
        self.log_rate = nn.ParameterList(nn.Parameter(torch.tensor(-3.5)) for _ in self.net.parameters())
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.log_rate.parameters()], lr=meta_lr)
        self.fast = None
        self.adapted, self.best = 0, float("inf")

    def inner_rates(self):
        return [r.exp().item() for r in self.log_rate]

    def _loss(self, params, x, y):
        return F.mse_loss(functional_call(self.net, params, (x,)), y)

    def adapt(self, support):
        """Fast weights after a few differentiable steps on the support set."""
        self.fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            grads = torch.autograd.grad(self._loss(self.fast, *support), list(self.fast.values()),
                                        create_graph=True)
            self.fast = {name: w - rate.exp() * g
                         for (name, w), rate, g in zip(self.fast.items(), self.log_rate, grads)}
        self.adapted += 1
        return self.fast

    def meta_step(self, tasks):
        queries = [self._loss(self.adapt(task.support), *task.query) for task in tasks]
        total = torch.stack(queries).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.best = min(self.best, total.item())
        return [q.item() for q in queries]
