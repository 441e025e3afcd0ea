# gradwatch-corpus: kind=none
# WGAN-GP on small cloud-cover patches
import torch
import torch.nn as nn

torch.manual_seed(12)
PATCH = 8
Z = 10
CRITIC_STEPS = 3
LAMBDA = 10.0
ITERS = 70


def real_patches(n):
    coarse = torch.randn(n, 1, 3, 3)
    smooth = nn.functional.interpolate(coarse, size=(PATCH, PATCH), mode="bilinear", align_corners=True)
    return torch.sigmoid(4 * smooth).flatten(1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(Z, 48),
            nn.ReLU(),
            nn.Linear(48, PATCH * PATCH),
            nn.Sigmoid(),
        )

    def forward(self, n):
        return self.net(torch.randn(n, Z))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(PATCH * PATCH, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2))
        self.score = nn.Linear(48, 1)

    def forward(self, x):
        return self.score(self.body(x))


def gradient_penalty(D, real, fake):
    eps = torch.rand(len(real), 1)
    mixed = eps * real + (1 - eps) * fake
    mixed.requires_grad_(True)
    score = D(mixed)
    grad, = torch.autograd.grad(
        score,
        mixed,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
    )
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


G = Generator()
D = Critic()
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.9))
w_hist = []

for it in range(ITERS):
    for _ in range(CRITIC_STEPS):
        real = real_patches(32)
        with torch.no_grad():
            fake = G(32)
        wdist = D(real).mean() - D(fake).mean()
        gp = gradient_penalty(D, real, fake)
        d_loss = -wdist + LAMBDA * gp
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
    w_hist.append(float(wdist))

    for p in D.parameters():
        p.requires_grad_(False)
    g_loss = -D(G(32)).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    for p in D.parameters():
        p.requires_grad_(True)

    if it % 10 == 0:
        print("it", it, "W", round(w_hist[-1], 4), "gp", round(gp.item(), 4), "G", round(g_loss.item(), 4))

with torch.no_grad():
    sample = G(200)
    print("mean cover", sample.mean().item(), "real", real_patches(200).mean().item())
