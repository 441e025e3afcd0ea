# gradwatch-corpus: kind=graph-held
# holder: curves["kl"] | curves
# first-bad: 1
#!/usr/bin/env python
# coding: utf-8
"""VAE on synthetic blobs, cyclical beta annealing. Exported from vae_v3_FINAL.ipynb"""

# In[1]:

import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1234)
device = torch.device("cpu")

# In[2]:

SIDE = 16
BATCH = 64
LATENT = 6
EPOCHS = 6
STEPS_PER_EPOCH = 50


def make_blobs(n):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, SIDE), torch.linspace(-1, 1, SIDE), indexing="ij")
    cx, cy = torch.rand(2, n, 1, 1) * 1.2 - 0.6
    w = 0.1 + 0.3 * torch.rand(n, 1, 1)
    return torch.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * w ** 2)).flatten(1)


train_x = make_blobs(2048)
train_x.shape

# In[3]:


class VAE(nn.Module):
    def __init__(self, d=SIDE * SIDE, h=128, z=LATENT):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


vae = VAE().to(device)
optim = torch.optim.Adam(vae.parameters(), lr=2e-3)

# In[4]:


def beta_at(it, period=120, ramp=0.5):
    # cyclical schedule (Fu et al. 2019)
    pos = (it % period) / period
    return min(1.0, pos / ramp)


curves = {"recon": [], "kl": [], "beta": []}

# In[5]:

it = 0
for epoch in range(EPOCHS):
    perm = torch.randperm(len(train_x))
    for b in range(STEPS_PER_EPOCH):
        batch = train_x[perm[(b * BATCH) % 2048:(b * BATCH) % 2048 + BATCH]].to(device)
        out, mu, logvar = vae(batch)
        recon = F.binary_cross_entropy_with_logits(out, batch, reduction="sum") / len(batch)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        beta = beta_at(it)
        elbo = recon + beta * kl

        optim.zero_grad()
        elbo.backward()
        optim.step()

        curves["recon"].append(recon.item())
        curves["kl"].append(kl)  # <- culprit
        curves["beta"].append(beta)
        it += 1
    tail_kl = sum(float(k) for k in curves["kl"][-STEPS_PER_EPOCH:]) / STEPS_PER_EPOCH
    tail_rec = sum(curves["recon"][-STEPS_PER_EPOCH:]) / STEPS_PER_EPOCH
    print(f"epoch {epoch}: recon {tail_rec:.2f}  kl {tail_kl:.3f}  beta {beta:.2f}")

# In[6]:


def sparkline(vals, width=60):
    marks = " .:-=+*#%@"
    stride = max(1, len(vals) // width)
    vals = [float(v) for v in vals[::stride]]
    lo, hi = min(vals), max(vals)
    return "".join(marks[int((v - lo) / (hi - lo + 1e-9) * (len(marks) - 1))] for v in vals)


print("kl   ", sparkline(curves["kl"]))
print("recon", sparkline(curves["recon"]))
print("beta ", sparkline(curves["beta"]))

# In[7]:

with torch.no_grad():
    grid = torch.sigmoid(vae.dec(torch.randn(4, LATENT))).view(4, SIDE, SIDE)
print("sample mean intensity", grid.mean().item(), "nats/pixel", tail_rec / SIDE ** 2 / math.log(2))
