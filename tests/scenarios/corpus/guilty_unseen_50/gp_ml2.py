# gradwatch-corpus: kind=second-backward
# holder: K
# first-bad: 1
# coding: utf-8

# In[1]:
import math

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(7)

# ## Data: CO2-like series, trend + seasonal + noise

# In[2]:
n = 120
t = torch.linspace(0, 6, n)
y = 0.3 * t + torch.sin(2 * math.pi * t) + 0.4 * torch.sin(0.9 * t) + 0.1 * torch.randn(n)
mu, sd = y.mean(), y.std()
y = (y - mu) / sd
D = t[:, None] - t[None, :]


# In[3]:
hp = {
    "la": torch.zeros((), requires_grad=True),        # amplitude, smooth part
    "ll": torch.tensor(0.5, requires_grad=True),      # length scale, smooth part
    "lb": torch.zeros((), requires_grad=True),        # amplitude, periodic part
    "lp": torch.tensor(0.3, requires_grad=True),      # roughness, periodic part
    "ln": torch.tensor(-1.0, requires_grad=True),     # noise
}


def k_se(D, la, ll):
    return torch.exp(2 * la) * torch.exp(-0.5 * D**2 * torch.exp(-2 * ll))


def k_per(D, lb, lp, T=1.0):
    return torch.exp(2 * lb) * torch.exp(-2 * torch.sin(math.pi * D / T) ** 2 * torch.exp(-2 * lp))


# ## Gram matrix

# In[4]:
K = k_se(D, hp["la"], hp["ll"]) + k_per(D, hp["lb"], hp["lp"])  # <- culprit
print("cond K ~ %.1e" % torch.linalg.cond(K.detach() + 1e-6 * torch.eye(n)).item())


# ## Type-II maximum likelihood

# In[5]:
def nlml(R, y):
    L = torch.linalg.cholesky(R)
    al = torch.cholesky_solve(y[:, None], L).squeeze(1)
    return 0.5 * y @ al + torch.log(torch.diagonal(L)).sum() + 0.5 * n * math.log(2 * math.pi)


opt = torch.optim.Adam(hp.values(), lr=0.05)
tr = []
for it in range(100):
    R = K + (torch.exp(2 * hp["ln"]) + 1e-8) * torch.eye(n)
    l = nlml(R, y) / n
    opt.zero_grad()
    l.backward()
    opt.step()
    tr.append(l.item())
    if it % 20 == 0:
        print(it, "nlml/n %.4f" % tr[-1], {k: round(v.item(), 3) for k, v in hp.items()})

# In[6]:
with torch.no_grad():
    ts = torch.linspace(6, 7, 20)
    Ds = ts[:, None] - t[None, :]
    Ks = k_se(Ds, hp["la"], hp["ll"]) + k_per(Ds, hp["lb"], hp["lp"])
    m = Ks @ torch.linalg.solve(R, y)
print("forecast", [round(v, 2) for v in (m * sd + mu).tolist()[:6]])
