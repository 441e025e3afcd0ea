# gradwatch-corpus: kind=none
"""Contrastive energy model: improved contrastive divergence (gradient through the last Langevin steps),
a feature queue as extra negatives, and a window of snapshots for the trust-region term."""
import collections
import itertools

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)


class EBM(nn.Module):
    def __init__(self, d=5, h=24):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Linear(h, h))
        self.top = nn.Linear(h, 1)
        self.log_step = nn.Parameter(torch.tensor(-2.0))

    def forward(self, x):
        f = self.feat(x)
        return self.top(F.silu(f)).squeeze(-1) + 0.05 * x.pow(2).sum(-1), F.normalize(f, dim=-1)


class RingQueue:
    def __init__(self, slots, d):
        self.data, self.at = F.normalize(torch.randn(slots, d), dim=1), 0

    @torch.no_grad()
    def put(self, rows):
        idx = (self.at + torch.arange(len(rows))) % len(self.data)
        self.data = self.data.index_copy(0, idx, rows.detach())
        self.at = (self.at + len(rows)) % len(self.data)


class Sampler:
    def __init__(self, n, d):
        self.pool = [torch.randn(d) for _ in range(n)]

    def draw(self, k):
        self.idx = torch.randperm(len(self.pool))[:k].tolist()
        return torch.stack([self.pool[i] for i in self.idx])

    def put_back(self, x):
        for i, row in zip(self.idx, x.detach()):
            self.pool[i] = row.clone()

    def run(self, model, x, steps, through):
        for s in range(steps):
            x = x if s >= steps - through else x.detach()
            if not x.requires_grad:
                x.requires_grad_()
            g, = torch.autograd.grad(model(x)[0].sum(), x, create_graph=s >= steps - through)
            x = x - model.log_step.exp() * g + 0.01 * torch.randn_like(x)
        return x


def frozen(model):
    params = {k: v.detach() for k, v in model.state_dict(keep_vars=True).items()}
    params = {k: v.clone() for k, v in params.items()}
    return lambda x: torch.func.functional_call(model, params, (x,))


def data(n):
    c = torch.randint(3, (n, 1)).float() * 2 - 2
    return c * torch.ones(5) + 0.3 * torch.randn(n, 5)


model, queue, sampler = EBM(), RingQueue(96, 24), Sampler(128, 5)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
recent = collections.deque(maxlen=12)           # (loss, fake) with everything behind them
snapshots = collections.deque([frozen(model)], maxlen=4)
history, reports = [], []

for it in itertools.count():
    if it == 320:
        break
    real = data(24)
    fake = sampler.run(model, sampler.draw(24), steps=3, through=1)
    e_real, f_real = model(real)
    e_fake, _ = model(fake.detach())
    kl = model(fake)[0].mean()
    view = model(real + 0.05 * torch.randn_like(real))[1]
    logits = torch.cat([(view * f_real).sum(1, keepdim=True), view @ queue.data.t()], 1) / 0.3
    nce = F.cross_entropy(logits, torch.zeros(len(real), dtype=torch.long))
    loss = e_real.mean() - e_fake.mean() + 0.1 * (e_real ** 2 + e_fake ** 2).mean() + 0.3 * kl + 0.2 * nce
    if it >= 50:
        loss = loss + 0.5 * sum((s(real)[0] - e_real).pow(2).mean() for s in snapshots) / len(snapshots)
    opt.zero_grad()
    loss.backward()
    opt.step()

    queue.put(f_real)
    sampler.put_back(fake)
    recent.append((loss, fake))
    if it % 5 == 0:
        snapshots.append(frozen(model))
    history.append({"loss": loss.detach(), "gap": (e_real.mean() - e_fake.mean()).data, "step": model.log_step.detach().clone()})
    window = torch.stack([l for l, _ in recent]).mean()
    reports.append(lambda it=it, w=window.item(): f"{it:4d} window {w:.4f}")
    if it % 60 == 0:
        print(reports[-1](), "gap %.3f" % history[-1]["gap"])
print(len(history), "records;", reports[-1]())
