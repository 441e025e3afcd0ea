# gradwatch-corpus: kind=graph-held
# holder: gallery
# first-bad: 1
# notice: 8
# tiny DDPM on two moons, for the blog post
import math
import torch; torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(0)
T = 12
betas = torch.linspace(1e-3, 0.25, T)
alphas = 1 - betas
abar = alphas.cumprod(0)


def moons(n):
    th = torch.rand(n) * math.pi
    up = torch.rand(n) < 0.5
    x = torch.where(up, torch.cos(th), 1 - torch.cos(th))
    y = torch.where(up, torch.sin(th), 0.4 - torch.sin(th))
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


class EpsNet(nn.Module):
    def __init__(s, w=32):
        super().__init__()
        s.temb = nn.Embedding(T, w)
        s.inp = nn.Linear(2, w)
        s.mid = nn.Linear(w, w)
        s.out = nn.Linear(w, 2)

    def forward(s, x, t):
        h = torch.nn.functional.silu(s.inp(x) + s.temb(t))
        h = h + torch.nn.functional.silu(s.mid(h))
        return s.out(h)


def sample(model, z):
    x = z
    for t in reversed(range(T)):
        tt = torch.full((len(x),), t)
        eps = model(x, tt)
        x = (x - betas[t] / (1 - abar[t]).sqrt() * eps) / alphas[t].sqrt()
        if t:
            x = x + betas[t].sqrt() * torch.randn_like(x) * 0.5
    return x


model = EpsNet()
ema_loss = 0.0
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
z_fixed = torch.randn(16, 2)
gallery = []

for step in range(600):
    if step % 4 == 0:
        gallery.append((step, sample(model, z_fixed)))  # <- culprit
    x0 = moons(64)
    t = torch.randint(0, T, (64,))
    noise = torch.randn_like(x0)
    xt = abar[t].sqrt()[:, None] * x0 + (1 - abar[t]).sqrt()[:, None] * noise
    loss = (model(xt, t) - noise).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    ema_loss = 0.98 * ema_loss + 0.02 * loss.item()
    if step % 150 == 149:
        print(step + 1, round(ema_loss, 4))

print("frames:", len(gallery))
for s, pts in gallery[::30]:
    c = pts.detach().mean(0)
    print(f"{s:4d}  centre=({c[0]:+.2f},{c[1]:+.2f})  std={pts.detach().std():.2f}")
