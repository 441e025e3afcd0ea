# gradwatch-corpus: kind=none
# WGAN-GP on synthetic emission spectra, with an EMA copy of the generator for sampling.
import copy

import torch
import torch.nn as nn

torch.manual_seed(99)
torch.set_num_threads(1)

BINS, LATENT, BATCH = 32, 8, 32
EPOCHS, ITERS, N_CRITIC, LAMBDA = 6, 30, 2, 10.0


def real_spectra(n):
    grid = torch.linspace(0, 1, BINS)
    c1 = 0.3 + 0.05 * torch.randn(n, 1)
    c2 = 0.7 + 0.03 * torch.randn(n, 1)
    h = torch.rand(n, 1)
    s = torch.exp(-((grid - c1) / 0.06) ** 2) + h * torch.exp(-((grid - c2) / 0.04) ** 2)
    return s + 0.02 * torch.randn_like(s)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(LATENT, 48), nn.LeakyReLU(0.2),
            nn.Linear(48, 48), nn.LeakyReLU(0.2),
            nn.Linear(48, BINS), nn.Softplus())

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(BINS, 48), nn.LeakyReLU(0.2),
            nn.Linear(48, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1)
    mix = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mix)
    grad, = torch.autograd.grad(score, mix, grad_outputs=torch.ones_like(score),
                                create_graph=True, retain_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


@torch.no_grad()
def ema_update(avg, model, decay=0.99):
    for a, p in zip(avg.parameters(), model.parameters()):
        a.lerp_(p, 1 - decay)


G, D = Generator(), Critic()
G_avg = copy.deepcopy(G).requires_grad_(False)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
fixed_z = torch.randn(16, LATENT)
snapshots = []

for epoch in range(EPOCHS):
    d_losses, g_losses = [], []
    for it in range(ITERS):
        for _ in range(N_CRITIC):
            real = real_spectra(BATCH)
            fake = G(torch.randn(BATCH, LATENT)).detach()
            d_loss = D(fake).mean() - D(real).mean() + LAMBDA * gradient_penalty(D, real, fake)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
        d_losses.append(d_loss.item())

        D.requires_grad_(False)
        g_loss = -D(G(torch.randn(BATCH, LATENT))).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        D.requires_grad_(True)
        ema_update(G_avg, G)
        g_losses.append(g_loss.item())

    samples = G_avg(fixed_z)
    snapshots.append(samples)
    gap = (samples.mean(0) - real_spectra(512).mean(0)).abs().mean().item()
    print(f"epoch {epoch} D {sum(d_losses) / ITERS:.3f} G {sum(g_losses) / ITERS:.3f} mean gap {gap:.3f}")

print("drift of the fixed samples:", [round((b - a).norm().item(), 2) for a, b in zip(snapshots, snapshots[1:])])
