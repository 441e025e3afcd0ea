# gradwatch-corpus: kind=graph-held
# holder: totals | totals["kl"] | totals["nll"]
# first-bad: 1
"""Mean-field variational Bayes for a two-layer network on heteroscedastic 1-d data (flat script)."""
import math
from collections import Counter

import torch
import torch.nn.functional as F

torch.manual_seed(31)

N, H, STEPS, BATCH = 200, 20, 500, 40
x_all = torch.linspace(-2, 2, N).unsqueeze(1)
y_all = torch.sin(3 * x_all) + 0.1 * (1 + x_all.abs()) * torch.randn(N, 1)

shapes = {"w1": (1, H), "b1": (H,), "w2": (H, 1), "b2": (1,)}
mu = {k: torch.nn.Parameter(0.5 * torch.randn(s)) for k, s in shapes.items()}
rho = {k: torch.nn.Parameter(torch.full(s, -3.0)) for k, s in shapes.items()}
log_noise = torch.nn.Parameter(torch.tensor(-1.0))


def sample():
    out = {}
    for k in shapes:
        sigma = F.softplus(rho[k])
        out[k] = mu[k] + sigma * torch.randn_like(sigma)
    return out


def kl_to_prior(prior_std=1.0):
    acc = 0.0
    for k in shapes:
        s = F.softplus(rho[k])
        acc = acc + (math.log(prior_std) - s.log()
                     + (s ** 2 + mu[k] ** 2) / (2 * prior_std ** 2) - 0.5).sum()
    return acc


def predict(w, x):
    return torch.tanh(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]


def gaussian_nll(pred, y):
    return (0.5 * ((y - pred) / log_noise.exp()) ** 2 + log_noise + 0.5 * math.log(2 * math.pi)).sum()


params = list(mu.values()) + list(rho.values()) + [log_noise]
opt = torch.optim.Adam(params, lr=1e-2)
totals = Counter()

for step in range(STEPS):
    idx = torch.randint(N, (BATCH,))
    w = sample()
    nll = gaussian_nll(predict(w, x_all[idx]), y_all[idx]) * (N / BATCH)
    kl = kl_to_prior()
    beta = min(1.0, (step + 1) / 200)
    loss = (nll + beta * kl) / N

    opt.zero_grad()
    loss.backward()
    opt.step()

    totals["nll"] += nll  # <- culprit
    totals["kl"] += kl  # <- culprit
    totals["steps"] += 1
    if (step + 1) % 100 == 0:
        n = totals["steps"]
        print(f"{step + 1:4d}  mean nll {float(totals['nll']) / n:8.2f}  mean kl {float(totals['kl']) / n:7.2f}")

with torch.no_grad():
    draws = torch.stack([predict(sample(), x_all) for _ in range(50)])
    rmse = (draws.mean(0) - torch.sin(3 * x_all)).pow(2).mean().sqrt()
print("posterior mean rmse", float(rmse), "predictive std", float(draws.std(0).mean()))
