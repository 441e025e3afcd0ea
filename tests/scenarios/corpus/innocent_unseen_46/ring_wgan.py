# gradwatch-corpus: kind=none
# WGAN-GP on a ring of gaussians (Kaggle notebook turned into a script).
import math

import torch
import torch.nn as nn
from torch import autograd

torch.manual_seed(77)

latent_dim = 4
hidden = 48
batch = 96
n_critic = 3
lambda_gp = 10
n_gen_steps = 70
lr = 1e-3


def ring(n, modes=8, radius=2.0, sd=0.05):
    which = torch.randint(0, modes, (n,)).float() * (2 * math.pi / modes)
    centres = torch.stack([torch.cos(which), torch.sin(which)], 1) * radius
    return centres + sd * torch.randn(n, 2)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, hidden),
                         nn.LeakyReLU(0.2), nn.Linear(hidden, o))


G = mlp(latent_dim, 2)
D = mlp(2, 1)
opt_G = torch.optim.Adam(G.parameters(), lr=lr, betas=(0.0, 0.9))
opt_D = torch.optim.Adam(D.parameters(), lr=lr, betas=(0.0, 0.9))


def compute_gradient_penalty(D, real_samples, fake_samples):
    alpha = torch.rand(real_samples.size(0), 1)
    interpolates = (alpha * real_samples + (1 - alpha) * fake_samples).requires_grad_(True)
    d_interpolates = D(interpolates)
    gradients = autograd.grad(outputs=d_interpolates, inputs=interpolates,
                              grad_outputs=torch.ones_like(d_interpolates),
                              create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def train_critic(real, history):
    z = torch.randn(real.size(0), latent_dim)
    with torch.no_grad():
        fake = G(z)
    gp = compute_gradient_penalty(D, real, fake)
    wdist = D(real).mean() - D(fake).mean()
    d_loss = -wdist + lambda_gp * gp
    opt_D.zero_grad()
    d_loss.backward()
    opt_D.step()
    history["wdist"].append(wdist.detach())
    history["gp"].append(gp.item())


def train_generator(n, history):
    for p in D.parameters():
        p.requires_grad_(False)
    gen = G(torch.randn(n, latent_dim))
    g_loss = -D(gen).mean()
    opt_G.zero_grad()
    g_loss.backward()
    opt_G.step()
    for p in D.parameters():
        p.requires_grad_(True)
    history["g"].append(g_loss.detach().clone())
    return gen.detach()


def covered_modes(points, modes=8, radius=2.0):
    ang = torch.arange(modes) * (2 * math.pi / modes)
    centres = torch.stack([torch.cos(ang), torch.sin(ang)], 1) * radius
    near = torch.cdist(points, centres) < 0.4
    return int(near.any(0).sum())


history = {"wdist": [], "gp": [], "g": []}
last_fakes = []
for step in range(n_gen_steps):
    for _ in range(n_critic):
        train_critic(ring(batch), history)
    last_fakes.append(train_generator(batch, history))
    last_fakes = last_fakes[-5:]
    if step % 10 == 0:
        print(f"step {step:3d}  W {torch.stack(history['wdist'][-10:]).mean().item():.3f}  "
              f"gp {history['gp'][-1]:.3f}  G {history['g'][-1].item():.3f}  "
              f"modes {covered_modes(torch.cat(last_fakes))}")
print("modes covered at the end:", covered_modes(torch.cat(last_fakes)))
