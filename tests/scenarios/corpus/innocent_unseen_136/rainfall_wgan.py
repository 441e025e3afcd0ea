# gradwatch-corpus: kind=none
"""WGAN-GP over daily rainfall vectors."""
import torch
import torch.nn as nn
from torch import autograd

torch.set_num_threads(1)

DIM, NOISE, CRITIC_ITERS, LAMBDA = 14, 6, 3, 10.0


class Generator(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(NOISE, h), nn.ReLU(True), nn.Linear(h, h), nn.ReLU(True), nn.Linear(h, DIM))

    def forward(self, z):
        return nn.functional.softplus(self.main(z))


class Critic(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(DIM, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, 1))

    def forward(self, x):
        return self.main(x).view(-1)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(real.size(0), 1).expand_as(real)
    inter = (alpha * real + (1 - alpha) * fake).detach().requires_grad_(True)
    score = netD(inter)
    grads = autograd.grad(outputs=score, inputs=inter, grad_outputs=torch.ones_like(score),
                          create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


def inf_train_gen(batch):
    while True:
        wet = (torch.rand(batch, DIM) < 0.4).float()
        front = torch.nn.functional.avg_pool1d(wet.unsqueeze(1), 3, 1, 1).squeeze(1)
        yield front * torch.distributions.Gamma(2.0, 2.0).sample((batch, DIM))


def train_critic(netD, netG, optD, real):
    netD.zero_grad()
    one = torch.tensor(1.0)
    d_real = netD(real).mean()
    d_real.backward(-one)
    with torch.no_grad():
        fake = netG(torch.randn(len(real), NOISE))
    d_fake = netD(fake).mean()
    d_fake.backward(one)
    gp = calc_gradient_penalty(netD, real, fake)
    gp.backward()
    optD.step()
    return (d_real - d_fake).item(), gp.item()


def train_generator(netD, netG, optG, n):
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    cost = -netD(netG(torch.randn(n, NOISE))).mean()
    cost.backward()
    optG.step()
    for p in netD.parameters():
        p.requires_grad = True
    return cost.item()


def main():
    torch.manual_seed(1)
    netG, netD = Generator(), Critic()
    optD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
    data = inf_train_gen(12)
    for it in range(220):
        for _ in range(CRITIC_ITERS):
            w, gp = train_critic(netD, netG, optD, next(data))
        g = train_generator(netD, netG, optG, 12)
        if it % 55 == 0:
            print(f"iter {it} W {w:.3f} gp {gp:.3f} G {g:.3f}")


if __name__ == "__main__":
    main()
