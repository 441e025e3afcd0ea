# gradwatch-corpus: kind=none
# after: MAML repositories (inner loop with create_graph=True, one outer backward, graph freed at the end of the iteration)
"""Meta-learned dosing curves: adapt to a patient's few blood samples in three inner steps."""
import collections
import functools

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap

Task = collections.namedtuple('Task', 'xs ys xq yq')
META_BATCH, K_SHOT, K_QUERY = 8, 6, 12
INNER_STEPS, META_STEPS = 3, 120


def sample_tasks(g):
    """One-compartment kinetics: c(t) = dose * ka/(ka-ke) * (exp(-ke t) - exp(-ka t))"""
    ka = 1.0 + torch.rand(META_BATCH, 1, generator=g)
    ke = 0.1 + 0.3 * torch.rand(META_BATCH, 1, generator=g)
    t = 8 * torch.rand(META_BATCH, K_SHOT + K_QUERY, generator=g)
    c = ka / (ka - ke) * (torch.exp(-ke * t) - torch.exp(-ka * t))
    c = c + 0.02 * torch.randn(c.shape, generator=g)
    x, y = (t / 4 - 1).unsqueeze(-1), c.unsqueeze(-1)
    return Task(x[:, :K_SHOT], y[:, :K_SHOT], x[:, K_SHOT:], y[:, K_SHOT:])


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, t):
        return self.net(t)


def mse(model, params, x, y):
    return F.mse_loss(functional_call(model, params, (x,)), y)


class MAML:
    def __init__(self, model, inner_lr, outer_lr):
        self.model = model
        self.loss = functools.partial(mse, model)
        self.log_inner = nn.Parameter(torch.tensor(inner_lr).log())
        self.opt = torch.optim.Adam([*model.parameters(), self.log_inner], lr=outer_lr)
        self.curve = []

    def adapt(self, params, xs, ys):
        lr = self.log_inner.exp()
        for _ in range(INNER_STEPS):
            g = grad(self.loss)(params, xs, ys)
            params = {k: p - lr * g[k] for k, p in params.items()}
        return params

    def query_loss(self, params, xs, ys, xq, yq):
        return self.loss(self.adapt(params, xs, ys), xq, yq)

    def step(self, tasks):
        params = dict(self.model.named_parameters())
        losses = vmap(self.query_loss, in_dims=(None, 0, 0, 0, 0))(params, *tasks)
        loss = losses.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(loss.item())
        return self.curve[-1]

    def evaluate(self, tasks):
        """First-order adaptation of detached copies: nothing of the meta graph is needed here."""
        total = 0.0
        for xs, ys, xq, yq in zip(*tasks):
            params = {k: p.detach().clone().requires_grad_() for k, p in self.model.named_parameters()}
            for _ in range(INNER_STEPS):
                gs = torch.autograd.grad(self.loss(params, xs, ys), list(params.values()))
                with torch.no_grad():
                    for p, g in zip(params.values(), gs):
                        p -= self.log_inner.exp() * g
            with torch.no_grad():
                total += self.loss(params, xq, yq).item()
        return total / len(tasks.xs)


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    learner = MAML(Curve(), inner_lr=0.05, outer_lr=3e-3)
    for step in range(1, META_STEPS + 1):
        learner.step(sample_tasks(g))
        if step % 30 == 0:
            recent = sum(learner.curve[-30:]) / 30
            print(f'meta step {step} query {recent:.4f} held-out {learner.evaluate(sample_tasks(g)):.4f} '
                  f'inner lr {learner.log_inner.exp().item():.3f}')


if __name__ == '__main__':
    main()
