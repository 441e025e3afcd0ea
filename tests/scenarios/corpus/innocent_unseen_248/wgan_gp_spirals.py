# gradwatch-corpus: kind=none
# WGAN-GP on 2d spirals, generator EMA for the sample plots
import copy
import math

import torch
import torch.nn as nn

torch.manual_seed(123)
torch.set_num_threads(1)

Z_DIM = 8
BATCH = 64
N_CRITIC = 3
LAMBDA_GP = 10
ITERATIONS = 80
EMA_DECAY = 0.98

D_losses = []
G_losses = []
gp_values = []
sample_list = []


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers)


def sample_real(n):
    t = torch.sqrt(torch.rand(n)) * 3 * math.pi
    arm = torch.randint(0, 2, (n,)).float() * math.pi
    xy = torch.stack([t * torch.cos(t + arm), t * torch.sin(t + arm)], dim=1) / 8
    return xy + 0.02 * torch.randn(n, 2)


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1)
    interpolates = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(interpolates)
    gradients = torch.autograd.grad(
        outputs=score,
        inputs=interpolates,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


@torch.no_grad()
def update_ema(ema_model, model, decay):
    for pe, p in zip(ema_model.parameters(), model.parameters()):
        pe.mul_(decay).add_(p, alpha=1 - decay)


def main():
    G = mlp([Z_DIM, 64, 64, 2])
    C = mlp([2, 64, 64, 1])
    G_ema = copy.deepcopy(G)
    opt_G = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
    opt_C = torch.optim.Adam(C.parameters(), lr=1e-3, betas=(0.0, 0.9))
    fixed_z = torch.randn(128, Z_DIM)

    for it in range(ITERATIONS):
        for _ in range(N_CRITIC):
            real = sample_real(BATCH)
            fake = G(torch.randn(BATCH, Z_DIM)).detach()
            gp = gradient_penalty(C, real, fake)
            wdist = C(real).mean() - C(fake).mean()
            loss_C = -wdist + LAMBDA_GP * gp
            opt_C.zero_grad()
            loss_C.backward()
            opt_C.step()

        for p in C.parameters():
            p.requires_grad_(False)
        loss_G = -C(G(torch.randn(BATCH, Z_DIM))).mean()
        opt_G.zero_grad()
        loss_G.backward()
        opt_G.step()
        for p in C.parameters():
            p.requires_grad_(True)
        update_ema(G_ema, G, EMA_DECAY)

        D_losses.append(loss_C.item())
        G_losses.append(loss_G.item())
        gp_values.append(gp.item())

        if it % 20 == 0:
            print("it %3d  W %.4f  C %.4f  G %.4f  gp %.4f" % (
                it, wdist.item(), D_losses[-1], G_losses[-1], gp_values[-1]))
            with torch.no_grad():
                sample_list.append(G_ema(fixed_z).clone())

    spread = [s.std(0).tolist() for s in sample_list]
    for k, (sx, sy) in enumerate(spread):
        print("snapshot %d: std x %.3f y %.3f" % (k, sx, sy))


if __name__ == "__main__":
    main()
