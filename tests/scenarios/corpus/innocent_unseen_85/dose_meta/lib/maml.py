import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class MetaLearner:
    def __init__(self, inner_lr, inner_steps):
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1), nn.Sigmoid())
        self.log_lr = nn.Parameter(torch.tensor(inner_lr).log())
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([
            {"params": self.net.parameters()}, {"params": [self.log_lr], "lr": 1e-2}], lr=3e-3)
        self.adapted = {}
        self.gap = {}

    def adapt(self, support):
        x, y = support
        weights = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, weights, (x,)), y)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {k: w - self.log_lr.exp() * g for (k, w), g in zip(weights.items(), grads)}
        return weights, loss

    def outer_loss(self, task, support, query):
        weights, inner = self.adapt(support)
        outer = F.mse_loss(functional_call(self.net, weights, (query[0],)), query[1])
        # newest adaptation of this task, for describe()
        self.adapted[task] = weights
        self.gap[task] = outer - inner
        return outer

    def update(self, losses):
        total = torch.stack(losses).mean()
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.last = total

    def describe(self):
        probe = torch.zeros(1, 1)
        mid = {t: functional_call(self.net, w, (probe,)).item() for t, w in sorted(self.adapted.items())}
        gap = torch.stack(list(self.gap.values())).mean()
        return (f"outer {self.last:.4f} gap {gap:+.4f} lr {self.log_lr.exp():.3f} at 0: "
                + " ".join(f"{t[-1]}={m:.2f}" for t, m in mid.items()))
