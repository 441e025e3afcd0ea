# gradwatch-corpus: kind=graph-held
# holder: tot
# first-bad: 1
# coding: utf-8
"""Mean-field VI for Bayesian logistic regression (exported from vi_logit.ipynb)."""

# In[1]:
import math
import torch

torch.manual_seed(3)
torch.set_default_dtype(torch.float64)

# In[2]:  synthetic data
N, d = 600, 8
X = torch.randn(N, d)
X[:, 0] = 1.0
b_true = torch.randn(d)
y = torch.bernoulli(torch.sigmoid(X @ b_true))

# In[3]:  variational family
lam = {
    "mu": torch.zeros(d, requires_grad=True),
    "ls": torch.full((d,), -1.0, requires_grad=True),
}
vel = {k: torch.zeros_like(v) for k, v in lam.items()}
S = 6          # MC samples
tau2 = 4.0     # prior variance


def kl(mu, ls):
    s2 = torch.exp(2 * ls)
    return 0.5 * (s2 / tau2 + mu**2 / tau2 - 1 - 2 * ls + math.log(tau2)).sum()


def loglik(b, xb, yb):
    eta = torch.einsum("nd,sd->sn", xb, b)
    return (yb * eta - torch.nn.functional.softplus(eta)).sum(1).mean()


def elbo(lam, xb, yb):
    eps = torch.randn(S, d)
    b = lam["mu"] + torch.exp(lam["ls"]) * eps
    return loglik(b, xb, yb) * N / len(yb) - kl(lam["mu"], lam["ls"])


# In[4]:  momentum SGD by hand
bs, lr, beta = 30, 2e-4, 0.8
n_it = N // bs
for ep in range(6):
    idx = torch.randperm(N)
    tot = 0.0
    for j in range(n_it):
        ii = idx[j * bs:(j + 1) * bs]
        L = elbo(lam, X[ii], y[ii])
        (-L).backward()
        with torch.no_grad():
            for k, p in lam.items():
                vel[k].mul_(beta).add_(p.grad)
                p -= lr * vel[k]
                p.grad = None
        tot = tot + L / n_it  # <- culprit
    print(f"epoch {ep}  elbo {float(tot):9.2f}  |mu-b| {float((lam['mu'] - b_true).norm().detach()):.3f}")

# In[5]:
with torch.no_grad():
    sd = torch.exp(lam["ls"])
    z = (lam["mu"] - b_true) / sd
print("posterior sd", [round(v, 3) for v in sd.tolist()])
print("z-scores    ", [round(v, 2) for v in z.tolist()])
