# gradwatch-corpus: kind=graph-held
# holder: level | current.__closure__ | center.__closure__ | center | signal | m
# first-bad: 1
"""Sigmoid belief net with score-function gradients, ELBO written out by hand (homework 4, exercise 2:
"compare with and without a baseline")."""
import torch
from torch import sigmoid
from torch.nn.functional import binary_cross_entropy_with_logits as bce

torch.manual_seed(2)
D, H, B, K = 36, 12, 32, 300


def bars(n):
    """6x6 images with random horizontal / vertical bars"""
    rows = (torch.rand(n, 6) < 0.2).float()
    cols = (torch.rand(n, 6) < 0.2).float()
    return torch.maximum(rows[:, :, None].expand(n, 6, 6), cols[:, None, :].expand(n, 6, 6)).reshape(n, D)


# --- parameters ------------------------------------------------------------
def par(*size, s=0.1):
    return (s * torch.randn(*size)).requires_grad_()


theta = dict(prior=par(H), W=par(H, D), b=par(D))
phi = dict(V=par(D, 2 * H), c=par(2 * H), U=par(2 * H, H), d=par(H))


def log_bern(logits, v):
    return -bce(logits, v, reduction="none").sum(-1)


def encode(x):
    h = torch.tanh(x @ phi["V"] + phi["c"])
    return h @ phi["U"] + phi["d"]


def log_joint(x, z):
    return log_bern(theta["prior"].expand_as(z), z) + log_bern(z @ theta["W"] + theta["b"], x)


# --- variance reduction ----------------------------------------------------
def moving_baseline(rate):
    level = None
    spread = 1.0

    def center(signal):
        """learning signal -> centred and scaled advantage"""
        nonlocal level, spread
        m = signal.mean()
        if level is None:
            level = m
        else:
            level = (1 - rate) * level + rate * m  # <- culprit
        spread = (1 - rate) * spread + rate * float(signal.detach().std())
        return ((signal - level) / max(1.0, spread)).detach()

    def current():
        return level.item()

    return center, current


def elbo_surrogate(x, center):
    logits = encode(x)
    z = torch.bernoulli(sigmoid(logits).detach())
    lq = log_bern(logits, z)
    lp = log_joint(x, z)
    signal = lp - lq
    advantage = center(signal)  # <- culprit
    # d/dtheta through lp, d/dphi by the score function
    return -(lp + advantage * lq).mean(), signal.detach().mean()


params = [*theta.values(), *phi.values()]
opt = torch.optim.Adam(params, lr=5e-3)
center, current = moving_baseline(rate=0.05)

running = 0.0
for k in range(K):
    surrogate, elbo = elbo_surrogate(bars(B), center)
    opt.zero_grad()
    surrogate.backward()
    opt.step()
    running += elbo.item()
    if (k + 1) % 75 == 0:
        print(f"k={k + 1:4d}  elbo={running / 75:8.3f}  baseline={current():8.3f}")
        running = 0.0

with torch.no_grad():
    z = torch.bernoulli(sigmoid(theta["prior"]).expand(3, H))
    for img in sigmoid(z @ theta["W"] + theta["b"]).view(3, 6, 6).round().int().tolist():
        print("\n".join("".join(".#"[v] for v in r) for r in img), end="\n\n")
