# gradwatch-corpus: kind=none
# VAE on pollen grain outlines (radius over 40 angles), latents looked at after each epoch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(57)

ANGLES = 40
N = 1024
theta = torch.linspace(0, 6.2832, ANGLES)


def outlines(n):
    kind = torch.randint(2, 6, (n,))
    depth = 0.1 + 0.3 * torch.rand(n, 1)
    shift = 6.28 * torch.rand(n, 1)
    r = 1 + depth * torch.cos(kind[:, None] * theta + shift) + 0.02 * torch.randn(n, ANGLES)
    return r, kind


class OutlineVAE(nn.Module):
    def __init__(self, d=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(ANGLES, 64), nn.SiLU(), nn.Linear(64, 2 * d))
        self.dec = nn.Sequential(nn.Linear(d, 64), nn.SiLU(), nn.Linear(64, ANGLES))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def losses(x, recon, mu, logvar):
    rec = F.mse_loss(recon, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return {"rec": rec, "kl": kl}


def cyclical(step, period=48, top=0.05):
    return top * min(1.0, 2.0 * (step % period) / period)


x_all, kind_all = outlines(N)
vae = OutlineVAE()
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
cache = {"mu": [], "kind": [], "rec": [], "kl": []}
report = {"epoch": [], "rec": [], "kl": [], "separation": []}
step = 0

for epoch in range(6):
    order = torch.randperm(N)
    for i in range(0, N, 48):
        idx = order[i:i + 48]
        x = x_all[idx]
        recon, mu, logvar = vae(x)
        parts = losses(x, recon, mu, logvar)
        total = parts["rec"] + cyclical(step) * parts["kl"]
        opt.zero_grad()
        total.backward()
        opt.step()
        cache["mu"].append(mu.detach())
        cache["kind"].append(kind_all[idx])
        cache["rec"].append(parts["rec"].detach())
        cache["kl"].append(parts["kl"].detach())
        step += 1

    mus = torch.cat(cache["mu"])
    kinds = torch.cat(cache["kind"])
    centres = torch.stack([mus[kinds == k].mean(0) for k in range(2, 6)])
    within = torch.stack([mus[kinds == k].var(0).sum() for k in range(2, 6)]).mean()
    report["epoch"].append(epoch)
    report["rec"].append(torch.stack(cache["rec"]).mean().item())
    report["kl"].append(torch.stack(cache["kl"]).mean().item())
    report["separation"].append((centres.var(0).sum() / within).item())
    for v in cache.values():
        v.clear()

print("epoch  rec     kl      sep")
for row in zip(*report.values()):
    print("%5d  %.4f  %.4f  %.4f" % row)
with torch.no_grad():
    sample = vae.dec(torch.randn(5, 6))
print("sample radii", [round(v, 2) for v in sample.mean(1).tolist()])
