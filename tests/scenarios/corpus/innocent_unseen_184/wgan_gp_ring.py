# gradwatch-corpus: kind=none
import math
import torch
from torch import nn, autograd, optim


def ring(n, modes=8):
    k = torch.randint(0, modes, (n,)) * (2 * math.pi / modes)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


def gradient_penalty(D, real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_(True)
    g, = autograd.grad(D(mix).sum(), mix, create_graph=True)
    return (g.norm(2, dim=1) - 1).pow(2).mean()


class EMA:
    def __init__(self, net, decay=0.99):
        self.net, self.decay = net, decay
        self.shadow = {n: p.clone().detach() for n, p in net.named_parameters()}
        self.backup = {}

    def update(self):
        for n, p in self.net.named_parameters():
            self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p.data

    def __enter__(self):
        for n, p in self.net.named_parameters():
            self.backup[n] = p.data
            p.data = self.shadow[n]

    def __exit__(self, *exc):
        for n, p in self.net.named_parameters():
            p.data = self.backup[n]
        self.backup.clear()


torch.manual_seed(0)
G, D = mlp(4, 2), mlp(2, 1)
opt_g = optim.Adam(G.parameters(), lr=5e-4, betas=(0.5, 0.9))
opt_d = optim.Adam(D.parameters(), lr=5e-4, betas=(0.5, 0.9))
ema = EMA(G)
history = {"w_dist": [], "gp": [], "g": []}
gallery = []
fixed_z = torch.randn(64, 4)
pool = torch.zeros(0, 2)

for it in range(450):
    for p in D.parameters():
        p.requires_grad_(True)
    for _ in range(2):
        real = ring(48)
        fake = G(torch.randn(48, 4)).detach()
        pool = torch.cat([pool, fake])[-256:]
        old = pool[torch.randint(0, len(pool), (16,))]
        w = D(real).mean() - D(torch.cat([fake, old])).mean()
        gp = gradient_penalty(D, real, fake)
        opt_d.zero_grad()
        (-w + 5 * gp).backward()
        opt_d.step()
    for p in D.parameters():
        p.requires_grad_(False)

    g_loss = -D(G(torch.randn(48, 4))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    ema.update()

    history["w_dist"].append(w.item())
    history["gp"].append(gp.item())
    history["g"].append(g_loss.item())
    if it % 75 == 0:
        with torch.no_grad(), ema:
            gallery.append(G(fixed_z).numpy())
        r = (gallery[-1] ** 2).sum(1) ** 0.5
        print(f"{it} w {history['w_dist'][-1]:.3f} gp {history['gp'][-1]:.3f} radius {r.mean():.3f}")
