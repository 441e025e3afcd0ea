import torch

from .networks import Critic, Generator, ring


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def train(num_iters=450, batch_size=64, n_critic=2, gp_weight=10.0):
    netG, netD = Generator(), Critic()
    optG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
    G_losses, D_losses = [], []

    for i in range(num_iters):
        for _ in range(n_critic):
            real = ring(batch_size)
            fake = netG(batch_size).detach()
            errD = netD(fake).mean() - netD(real).mean()
            errD = errD + gp_weight * gradient_penalty(netD, real, fake)
            optD.zero_grad()
            errD.backward()
            optD.step()

        errG = -netD(netG(batch_size)).mean()
        optG.zero_grad()
        errG.backward()
        optG.step()

        G_losses.append(errG)  # <- culprit
        D_losses.append(errD.item())
        if i % 100 == 0:
            print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (i, num_iters, D_losses[-1], errG.item()))
    return G_losses, D_losses
