# gradwatch-corpus: kind=graph-chain
# holder: xm | x
# first-bad: 1
# %%
import torch
import torch.nn.functional as F

torch.manual_seed(1)

# %% two-moons-ish data
def moons(n):
    a = torch.pi * torch.rand(n)
    s = torch.randint(0, 2, (n,)).float()
    x = torch.cos(a) * (1 - 2 * s) + s
    y = torch.sin(a) * (1 - 2 * s) + 0.4 * s
    return torch.stack([x - 0.5, y - 0.2], 1) + 0.08 * torch.randn(n, 2)


# %% energy
H = 48
th = [
    torch.randn(2, H) * 0.7,
    torch.zeros(H),
    torch.randn(H, H) / H**0.5,
    torch.zeros(H),
    torch.randn(H, 1) / H**0.5,
]
th = [w.requires_grad_() for w in th]


def E(x):
    h = F.silu(x @ th[0] + th[1])
    h = F.silu(h @ th[2] + th[3])
    return (h @ th[4]).squeeze(1) + 0.25 * (x * x).sum(1)


# %% Langevin kernel
def ula(x, K, eps):
    for _ in range(K):
        x.requires_grad_(True)
        g = torch.autograd.grad(E(x).sum(), x)[0]
        x = x - 0.5 * eps * g + eps**0.5 * torch.randn(x.shape)
    return x  # <- culprit


# %% persistent contrastive divergence
n = 128
xm = 2 * torch.rand(n, 2) - 1
opt = torch.optim.Adam(th, lr=2e-3, betas=(0.5, 0.99))
gap = []

for it in range(150):
    xp = moons(n)
    xm = ula(xm, 6, 0.02)  # <- culprit
    ep, em = E(xp), E(xm)
    loss = ep.mean() - em.mean() + 0.02 * (ep.pow(2) + em.pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    gap.append((ep.mean() - em.mean()).item())
    if it % 25 == 0:
        print(f"{it:4d}  gap {gap[-1]:+.4f}  E+ {ep.mean().item():+.3f}  spread {xm.detach().std(0).tolist()}")

# %% crude check: moments of the chain against the data
with torch.no_grad():
    ref = moons(2000)
    dm = (ref.mean(0) - xm.mean(0)).norm()
    C = torch.cov(ref.T) - torch.cov(xm.T)
print(f"|dmean| {dm:.3f}  |dcov| {torch.linalg.matrix_norm(C):.3f}")
