# gradwatch-corpus: kind=none
# Improved WGAN training on 2d swiss roll
import torch
torch.set_num_threads(1)
from torch import nn, autograd, optim

torch.manual_seed(1)
DIM, LAMBDA, CRITIC_ITERS, BATCH, ITERS = 24, 0.1, 3, 32, 260


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, DIM), nn.ReLU(True), nn.Linear(DIM, DIM), nn.ReLU(True), nn.Linear(DIM, o))


def inf_train_gen():
    while True:
        t = 1.5 * 3.14 * (1 + 2 * torch.rand(BATCH))
        pts = torch.stack([t * torch.cos(t), t * torch.sin(t)], 1) / 7.5
        yield pts + 0.03 * torch.randn_like(pts)


def calc_gradient_penalty(netD, real_data, fake_data):
    alpha = torch.rand(BATCH, 1).expand_as(real_data)
    interpolates = (alpha * real_data + (1 - alpha) * fake_data).requires_grad_(True)
    disc = netD(interpolates)
    gradients = autograd.grad(outputs=disc, inputs=interpolates, grad_outputs=torch.ones_like(disc),
                              create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


netG, netD = mlp(2, 2), mlp(2, 1)
optD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
data = inf_train_gen()
wd_hist, gp_hist = [], []

for iteration in range(ITERS):
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        real = next(data)
        netD.zero_grad()
        with torch.no_grad():
            fake = netG(torch.randn(BATCH, 2))
        D_real, D_fake = netD(real).mean(), netD(fake).mean()
        gradient_penalty = calc_gradient_penalty(netD, real, fake)
        D_cost = D_fake - D_real + gradient_penalty
        D_cost.backward()
        optD.step()
        wd_hist.append((D_real - D_fake).detach().item())
        gp_hist.append(gradient_penalty.item())
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G_cost = -netD(netG(torch.randn(BATCH, 2))).mean()
    G_cost.backward()
    optG.step()
    if iteration % 65 == 64:
        print(f"iter {iteration + 1} W {wd_hist[-1]:.4f} gp {gp_hist[-1]:.4f} G {G_cost.item():.4f}")
