# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner | learner.parameters()
# first-bad: 1
# notice: 8
# after: pytorch/pytorch #7343 "[memory leak] create_graph=True", #4661; learnables/learn2learn #88 "MAML Omniglot Memory Leak" (deepcopy)
"""Few-shot calibration of Raman spectra: sensitivity-regularised task adaptation (Reptile outer loop)."""
import copy
import torch
import torch.nn as nn

torch.manual_seed(0)
BANDS = 48


def make_model():
    return nn.Sequential(nn.Linear(BANDS, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))


def sample_task():
    centre, width = torch.rand(1) * BANDS, 2 + torch.rand(1) * 4
    def draw(n):
        c = torch.rand(n, 1)
        x = c * torch.exp(-((torch.arange(BANDS) - centre) / width) ** 2) + 0.02 * torch.randn(n, BANDS)
        return x, c
    return draw


def adapt(meta, draw, inner=2, lr=0.05, rho=1e-3):
    learner = copy.deepcopy(meta)
    for _ in range(inner):
        for p in learner.parameters():
            p.grad = None
        x, c = draw(10)
        fit = (learner(x) - c).square().mean()
        fit.backward(create_graph=True)  # <- culprit
        flat = sum(p.grad.square().sum() for p in learner.parameters())
        extra = torch.autograd.grad(flat, list(learner.parameters()), allow_unused=True)
        with torch.no_grad():
            for p, e in zip(learner.parameters(), extra):
                p.add_(p.grad + (0 if e is None else rho * e), alpha=-lr)
    return learner, fit.item()


meta = make_model()
outer = torch.optim.Adam(meta.parameters(), lr=1e-3)
log = []
for episode in range(80):
    learner, fit = adapt(meta, sample_task())
    outer.zero_grad()
    for p, q in zip(meta.parameters(), learner.parameters()):
        p.grad = (p - q).detach()
    outer.step()
    log.append(fit)
    if episode % 20 == 19:
        print(episode + 1, sum(log[-20:]) / 20)
