# gradwatch-corpus: kind=none
"""Second-order MAML with learned per-parameter inner rates (Meta-SGD) and multi-step loss (MAML++)."""
import math
from collections import OrderedDict, defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Regressor(nn.Module):
    def __init__(self, w=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))

    def forward(self, x):
        return self.net(x)


class InnerRates(nn.Module):
    def __init__(self, named, steps, init=0.03):
        super().__init__()
        self.rates = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.full((steps,), init)) for n, _ in named
        })

    def apply(self, params, grads, k):
        return OrderedDict(
            (n, p - self.rates[n.replace(".", "_")][k] * g) for (n, p), g in zip(params.items(), grads))


class SineTask:
    def __init__(self):
        self.a, self.p = 0.5 + 2 * torch.rand(1), math.pi * torch.rand(1)

    def batch(self, n=10):
        x = 10 * torch.rand(n, 1) - 5
        return x, self.a * torch.sin(x + self.p)


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.n = 0.0, 0

    def update(self, v, n=1):
        self.sum += v * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


class MAML:
    def __init__(self, inner_steps=2, meta_batch=2):
        self.model = Regressor()
        self.rates = InnerRates(list(self.model.named_parameters()), inner_steps)
        self.steps, self.meta_batch = inner_steps, meta_batch
        self.opt = torch.optim.Adam([*self.model.parameters(), *self.rates.parameters()], lr=2e-3)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, 400)
        self.meters = defaultdict(AverageMeter)

    def step_weights(self, it):
        w = torch.full((self.steps,), max(0.0, 0.3 * (1 - it / 200)))
        w[-1] = 1.0 - w[:-1].sum()
        return w

    def adapt(self, task, weights, second_order=True):
        params = OrderedDict(self.model.named_parameters())
        xs, ys = task.batch()
        xq, yq = task.batch()
        query, trace = 0.0, []
        for k in range(self.steps):
            inner = F.mse_loss(functional_call(self.model, params, (xs,)), ys)
            grads = torch.autograd.grad(inner, list(params.values()), create_graph=second_order)
            params = self.rates.apply(params, grads, k)
            trace.append(F.mse_loss(functional_call(self.model, params, (xq,)), yq))
            query = query + weights[k] * trace[-1]
        return query, trace

    def meta_step(self, it):
        w = self.step_weights(it)
        self.opt.zero_grad()
        for _ in range(self.meta_batch):
            q, trace = self.adapt(SineTask(), w)
            (q / self.meta_batch).backward()
            for k, t in enumerate(trace):
                self.meters[f"q{k}"].update(t.item())
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.sched.step()

    def fit(self, iters):
        curve = []
        for it in range(iters):
            self.meta_step(it)
            if (it + 1) % 50 == 0:
                row = {k: m.avg for k, m in self.meters.items()}
                curve.append(row)
                print(it + 1, " ".join(f"{k} {v:.3f}" for k, v in row.items()))
                for m in self.meters.values():
                    m.reset()
        return curve


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    MAML().fit(305)
