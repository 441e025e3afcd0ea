# gradwatch-corpus: kind=none
import torch
from torch import autograd, nn, optim

torch.manual_seed(1)
DIM, LAMBDA, CRITIC_ITERS, BATCH = 96, 0.1, 3, 64


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, DIM), nn.ReLU(True), nn.Linear(DIM, DIM), nn.ReLU(True), nn.Linear(DIM, o))


netG, netD = mlp(2, 2), mlp(2, 1)
optimizerD = optim.Adam(netD.parameters(), lr=1e-4, betas=(0.5, 0.9))
optimizerG = optim.Adam(netG.parameters(), lr=1e-4, betas=(0.5, 0.9))


def inf_train_gen():
    centers = torch.tensor([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    while True:
        yield centers[torch.randint(4, (BATCH,))] + 0.02 * torch.randn(BATCH, 2)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(BATCH, 1).expand_as(real)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = netD(inter)
    g = autograd.grad(outputs=out, inputs=inter, grad_outputs=torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


data = inf_train_gen()
for iteration in range(110):
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        real = next(data)
        with torch.no_grad():
            fake = netG(torch.randn(BATCH, 2))
        netD.zero_grad()
        D_cost = netD(fake).mean() - netD(real).mean() + calc_gradient_penalty(netD, real, fake)
        D_cost.backward()
        optimizerD.step()
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G_cost = -netD(netG(torch.randn(BATCH, 2))).mean()
    G_cost.backward()
    optimizerG.step()
    if iteration % 25 == 0:
        print(iteration, D_cost.item(), G_cost.item())
