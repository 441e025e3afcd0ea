# gradwatch-corpus: kind=second-backward
# holder: K | cov
# first-bad: 1
# notice: 0
# In[1]:
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(12)
torch.set_default_dtype(torch.float64)

# In[2]: tide-gauge like record
N = 30
t = torch.sort(torch.rand(N) * 6).values
obs = 1.2 * torch.sin(2 * math.pi * t / 1.03) + 0.4 * torch.cos(2 * math.pi * t / 2.5) + 0.1 * torch.randn(N)

# In[3]: hyperparameters, all in log space
raw = {
    "amp": torch.tensor(0.0, requires_grad=True),
    "period": torch.tensor(0.1, requires_grad=True),
    "ell": torch.tensor(0.3, requires_grad=True),
    "noise": torch.tensor(-1.5, requires_grad=True),
}


# In[4]:
def periodic(a, b):
    amp, period, ell = (raw[k].exp() for k in ("amp", "period", "ell"))
    d = (a[:, None] - b[None, :]).abs()
    return amp * torch.exp(-2 * (torch.sin(math.pi * d / period) / ell) ** 2)


def smooth(a, b, scale=2.0):
    return 0.2 * torch.exp(-0.5 * ((a[:, None] - b[None, :]) / scale) ** 2)


# In[5]: quick look at the prior
K = periodic(t, t) + smooth(t, t)  # <- culprit
print("prior variance", K.diagonal().mean().item(), "condition", torch.linalg.cond(K + 1e-2 * torch.eye(N)).item())
draws = torch.linalg.cholesky(K.detach() + 1e-6 * torch.eye(N)) @ torch.randn(N, 3)
print("three prior draws at the first point", draws[0].tolist())


# In[6]:
def evidence(cov):
    noisy = cov + (raw["noise"].exp() + 1e-4) * torch.eye(N)
    L = torch.linalg.cholesky(noisy)
    alpha = torch.cholesky_solve(obs[:, None], L)
    return 0.5 * (obs[:, None] * alpha).sum() + L.diagonal().log().sum() + 0.5 * N * math.log(2 * math.pi)


# In[7]:
opt = torch.optim.Adam(list(raw.values()), lr=0.03)
curve = []
for i in range(250):
    opt.zero_grad()
    nlml = evidence(K)
    nlml.backward()
    opt.step()
    curve.append(nlml.item())
    if i % 50 == 0:
        print(i, curve[-1])

# In[8]:
print({k: round(v.exp().item(), 3) for k, v in raw.items()})
