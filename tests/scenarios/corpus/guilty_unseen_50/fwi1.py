# gradwatch-corpus: kind=memory-climb
# holder: movie
# first-bad: 1
# notice: 100
# coding: utf-8
# # Full waveform inversion, 2D acoustic, toy size
# In[1]:
import torch
import torch.nn.functional as F

torch.manual_seed(2)
n, nt, h, dt = 48, 60, 10.0, 2e-3
vmin, vmax = 1400.0, 2600.0

# In[2]:
lapk = torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])[None, None] / h**2
tt = torch.arange(nt) * dt
f0 = 18.0
a = (torch.pi * f0 * (tt - 0.05)) ** 2
wav = (1 - 2 * a) * torch.exp(-a) * 1e3

yy, xx = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
edge = torch.minimum(torch.minimum(yy, n - 1 - yy), torch.minimum(xx, n - 1 - xx)).float()
damp = torch.exp(-((0.06 * (6 - edge).clamp(min=0)) ** 2))

src = torch.tensor([8, 16, 24, 32, 40])
rec = torch.arange(4, n - 4, 2)


# In[3]:
def prop(c, sx):
    """c (n,n) velocity, sx column of the source -> traces (nt,nr), field (nt,n,n)"""
    u0, u1 = torch.zeros(n, n), torch.zeros(n, n)
    q = torch.zeros(n, n)
    q[4, sx] = 1.0
    c2 = (c * dt) ** 2
    U = []
    for k in range(nt):
        L = F.conv2d(u1[None, None], lapk, padding=1)[0, 0]
        u2 = damp * (2 * u1 - damp * u0 + c2 * (L + wav[k] * q))
        u0, u1 = u1, u2
        U.append(u2)
    U = torch.stack(U)
    return U[:, 5, rec], U


def vel(th):
    return vmin + (vmax - vmin) * torch.sigmoid(th)


# In[4]: true model and data
c_true = torch.full((n, n), 1600.0)
c_true[22:] = 2000.0
c_true[(yy - 18) ** 2 + (xx - 26) ** 2 < 30] = 1850.0
with torch.no_grad():
    d_obs = [prop(c_true, s)[0] for s in src.tolist()]
sc = max(d.abs().max() for d in d_obs)

# In[5]: inversion, one shot per iteration
th = torch.full((n, n), -1.0, requires_grad=True)
opt = torch.optim.Adam([th], lr=0.03)
movie = []
tr = []
for it in range(160):
    j = it % len(src)
    d, U = prop(vel(th), int(src[j]))
    r = (d - d_obs[j]) / sc
    tv = (th[1:] - th[:-1]).abs().mean() + (th[:, 1:] - th[:, :-1]).abs().mean()
    J = 1e2 * (r * r).mean() + 1e-2 * tv
    opt.zero_grad()
    J.backward()
    opt.step()
    tr.append(J.item())
    movie.append(U.detach())  # <- culprit
    if it % 40 == 0:
        print(f"it {it:3d}  J {tr[-1]:.4f}  c in [{vel(th.detach()).min().item():.0f}, {vel(th.detach()).max().item():.0f}]")

# In[6]:
e = (vel(th.detach())[6:20] - c_true[6:20]).abs().mean().item()
snap = movie[-1][nt // 2]
print("J", tr[0], "->", tr[-1], " mean |dc| top", round(e, 1), " max|u|", snap.abs().max().item())
