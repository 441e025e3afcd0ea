# gradwatch-corpus: kind=graph-chain
# holder: w | state.w | self.w | learner.w | learner.b | state
# first-bad: 40
# notice: 5
# Online electricity-demand regression. The inner weights are moved by a plain
# gradient rule whose per-group step sizes are themselves trained on the next
# batch of measurements.
import math
from dataclasses import dataclass

import torch

torch.manual_seed(5)
torch.set_num_threads(1)

N_FEAT = 8
WARMUP = 40
TOTAL = 190


@dataclass
class Learner:
    w: torch.Tensor
    b: torch.Tensor
    meta: bool = False

    def predict(self, x):
        return x @ self.w + self.b


def demand_batch(t, n=24):
    hour = torch.rand(n) * 24
    base = torch.stack([torch.sin(hour * k * math.pi / 12) for k in (1, 2, 3)] +
                       [torch.cos(hour * k * math.pi / 12) for k in (1, 2, 3)], dim=1)
    temp = torch.randn(n, 1) + math.sin(t / 60)
    x = torch.cat([base, temp, temp ** 2], dim=1)
    drift = 0.3 * math.sin(t / 45)
    coef = torch.tensor([1.2, -0.4, 0.1, 0.7, 0.2, -0.3, 0.5 + drift, 0.25])
    y = x @ coef + 2.0 + 0.1 * torch.randn(n)
    return x, y


def inner_grads(learner, x, y):
    err = learner.predict(x) - y
    gw = 2.0 * (x.t() @ err) / len(y)
    gb = 2.0 * err.mean()
    return gw, gb


def move(learner, x, y, rates):
    gw, gb = inner_grads(learner, x, y)
    learner.w = learner.w - rates[:N_FEAT] * gw  # <- culprit
    learner.b = learner.b - rates[N_FEAT] * gb  # <- culprit


log_rates = torch.full((N_FEAT + 1,), math.log(0.02), requires_grad=True)
meta_opt = torch.optim.Adam([log_rates], lr=0.02)
learner = Learner(w=torch.zeros(N_FEAT), b=torch.zeros(()))
x, y = demand_batch(0)

for t in range(TOTAL):
    if t < WARMUP:
        # let the regression find its feet before the step sizes start to matter
        learner.w, learner.b = learner.w.detach(), learner.b.detach()
    rates = log_rates.exp()
    move(learner, x, y, rates)

    x, y = demand_batch(t + 1)
    outer = (learner.predict(x) - y).square().mean() + 1e-3 * rates.square().sum()
    meta_opt.zero_grad()
    outer.backward(retain_graph=True)
    torch.nn.utils.clip_grad_norm_([log_rates], 1.0)
    meta_opt.step()

    if t % 40 == 0 or t == TOTAL - 1:
        r = log_rates.detach().exp()
        print(f"t={t:4d} outer={outer.item():.4f} rate min/max {r.min():.4f}/{r.max():.4f}")

print("final weights", [round(v, 2) for v in learner.w.tolist()])
