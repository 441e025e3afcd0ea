# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
from torch import autograd
torch.set_num_threads(1)
torch.manual_seed(10)
L = 24
LAMBDA = 10
CRITIC_ITERS = 3

def beats(n):
    t = torch.linspace(-1, 1, L)
    c = (torch.rand(n, 1) - .5) * .4
    return torch.exp(-((t - c) / .1) ** 2) - .3 * torch.exp(-((t - c - .2) / .15) ** 2)

netG = nn.Sequential(nn.Linear(5, 32), nn.ReLU(True), nn.Linear(32, L))
netD = nn.Sequential(nn.Unflatten(1, (1, L)), nn.Conv1d(1, 6, 5, 2, 2), nn.LeakyReLU(.2), nn.Flatten(), nn.Linear(72, 1))
optD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
one = torch.tensor(1.0)
mone = one * -1

def calc_gradient_penalty(netD, real_data, fake_data):
    alpha = torch.rand(real_data.size(0), 1).expand(real_data.size())
    interpolates = alpha * real_data + ((1 - alpha) * fake_data)
    interpolates = autograd.Variable(interpolates, requires_grad=True)
    disc_interpolates = netD(interpolates)
    gradients = autograd.grad(outputs=disc_interpolates, inputs=interpolates,
                              grad_outputs=torch.ones(disc_interpolates.size()),
                              create_graph=True, retain_graph=True, only_inputs=True)[0]
    gradient_penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA
    return gradient_penalty

wdist = []
for iteration in range(260):
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        real = beats(16)
        netD.zero_grad()
        D_real = netD(real).mean()
        D_real.backward(mone)
        with torch.no_grad():
            fake = netG(torch.randn(16, 5))
        D_fake = netD(fake).mean()
        D_fake.backward(one)
        gradient_penalty = calc_gradient_penalty(netD, real, fake)
        gradient_penalty.backward()
        D_cost = D_fake - D_real + gradient_penalty
        W_D = D_real - D_fake
        optD.step()
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G = netD(netG(torch.randn(16, 5))).mean()
    G.backward(mone)
    optG.step()
    wdist.append(W_D.item())
    if iteration % 65 == 0:
        print(iteration, 'W', wdist[-1], 'D_cost', D_cost.item(), 'G', -G.item())
