# gradwatch-corpus: kind=second-backward
# holder: cache["Lzz"] | cache
# first-bad: 1
"""Collapsed sparse GP (Titsias) with minibatched test-likelihood fine-tuning."""
import math

import torch

torch.manual_seed(8)
torch.set_default_dtype(torch.float64)

LOG2PI = math.log(2.0 * math.pi)


def make_data(n=600):
    x = torch.sort(6.0 * torch.rand(n) - 3.0).values
    f = torch.sin(2.0 * x) + 0.4 * torch.cos(5.0 * x)
    return x[:, None], f + 0.15 * torch.randn(n)


def rbf(a, b, log_ell, log_amp):
    d2 = (a[:, None, 0] - b[None, :, 0]) ** 2
    return torch.exp(2.0 * log_amp - 0.5 * d2 * torch.exp(-2.0 * log_ell))


def factor(theta, jitter=1e-6):
    K = rbf(theta["Z"], theta["Z"], theta["log_ell"], theta["log_amp"])
    return torch.linalg.cholesky(K + jitter * torch.eye(K.shape[0]))


cache = {}


def prior_factor(theta, epoch):
    if cache.get("epoch") != epoch:
        cache["Lzz"] = factor(theta)  # <- culprit
        cache["epoch"] = epoch
    return cache["Lzz"]  # <- culprit


def svgp_loss(theta, x, y, n_total, epoch):
    L = prior_factor(theta, epoch)  # <- culprit
    kxz = rbf(x, theta["Z"], theta["log_ell"], theta["log_amp"])
    A = torch.linalg.solve_triangular(L, kxz.T, upper=False)
    Ls = torch.tril(theta["S"])
    mean = A.T @ theta["m"]
    amp2 = torch.exp(2.0 * theta["log_amp"])
    var = (amp2 - (A ** 2).sum(0)).clamp_min(1e-8) + ((Ls.T @ A) ** 2).sum(0)
    s2 = torch.exp(2.0 * theta["log_noise"])
    ell = -0.5 * (LOG2PI + torch.log(s2) + ((y - mean) ** 2 + var) / s2)
    logdet = torch.log(torch.diagonal(Ls).abs() + 1e-12).sum()
    kl = 0.5 * ((Ls ** 2).sum() + (theta["m"] ** 2).sum() - len(theta["m"])) - logdet
    return -(n_total / len(y)) * ell.sum() + kl


def shuffled(x, y, size):
    order = torch.randperm(len(y))
    for i in range(0, len(y), size):
        idx = order[i:i + size]
        yield x[idx], y[idx]


def adam_state(theta):
    return {k: (torch.zeros_like(v), torch.zeros_like(v)) for k, v in theta.items()}


def adam(theta, grads, state, t, lr=1e-2):
    for (k, v), g in zip(theta.items(), grads):
        m, s = state[k]
        m = 0.9 * m + 0.1 * g
        s = 0.999 * s + 0.001 * g * g
        state[k] = (m, s)
        upd = (m / (1 - 0.9 ** t)) / ((s / (1 - 0.999 ** t)).sqrt() + 1e-8)
        v.data = v.data - lr * upd


M = 15
theta = {
    "Z": torch.linspace(-3.0, 3.0, M)[:, None].clone(),
    "log_ell": torch.tensor(-0.5),
    "log_amp": torch.tensor(0.0),
    "log_noise": torch.tensor(-1.0),
    "m": torch.zeros(M),
    "S": 0.5 * torch.eye(M),
}
theta = {k: v.requires_grad_() for k, v in theta.items()}
state = adam_state(theta)
X, Y = make_data()
t = 0

for epoch in range(10):
    for xb, yb in shuffled(X, Y, 60):
        t += 1
        loss = svgp_loss(theta, xb, yb, len(Y), epoch)
        grads = torch.autograd.grad(loss, list(theta.values()), allow_unused=True)
        grads = [torch.zeros_like(v) if g is None else g for g, v in zip(grads, theta.values())]
        adam(theta, grads, state, t)
    print(f"epoch {epoch} loss {loss.item():.2f} noise {theta['log_noise'].exp().item():.3f}")
