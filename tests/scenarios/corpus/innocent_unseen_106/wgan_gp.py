# gradwatch-corpus: kind=none
# WGAN-GP on 8 gaussians. Notebook exported with nbconvert, then tidied.
# In[1]:
import math

import torch
import torch.nn as nn
import torch.optim as optim

torch.set_num_threads(1)
torch.manual_seed(0)

LAMBDA, CRITIC_ITERS, ITERS, BS, NZ = 10.0, 3, 320, 32, 4

# In[2]:
def real_batch(n):
    k = torch.randint(8, (n,))
    ang = k.float() * math.pi / 4
    return torch.stack([ang.cos(), ang.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


netG, netD = mlp(NZ, 2), mlp(2, 1)
optD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))


# In[3]:
def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(real.size(0), 1).expand_as(real)
    interpolates = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d_inter = netD(interpolates)
    gradients = torch.autograd.grad(outputs=d_inter, inputs=interpolates, grad_outputs=torch.ones_like(d_inter),
                                    create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


# In[4]:
one = torch.tensor(1.0)
mone = one * -1
D_log, G_log, gp_log, fakes_for_gif = [], [], [], []
fixed_noise = torch.randn(64, NZ)

for iteration in range(ITERS):
    # (1) critic
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        optD.zero_grad()
        real = real_batch(BS)
        with torch.no_grad():
            noise = torch.randn(BS, NZ)
        fake = netG(noise).data

        D_real = netD(real).mean()
        D_real.backward(mone, retain_graph=True)
        D_fake = netD(fake).mean()
        D_fake.backward(one, retain_graph=True)
        gp = calc_gradient_penalty(netD, real.data, fake)
        gp.backward(retain_graph=True)
        W = D_real - D_fake
        optD.step()

    # (2) generator, the critic frozen
    for p in netD.parameters():
        p.requires_grad = False
    optG.zero_grad()
    G = netD(netG(torch.randn(BS, NZ))).mean()
    G.backward(mone, retain_graph=True)
    optG.step()

    D_log.append(W.detach())
    gp_log.append(gp.data)
    G_log.append(-G.item())
    if iteration % 10 == 0:
        fakes_for_gif.append(netG(fixed_noise).detach().clone())
    if iteration % 80 == 79:
        w = torch.stack(D_log[-80:]).mean()
        r = fakes_for_gif[-1].norm(dim=1).mean()
        print("iter %d W %.3f gp %.3f G %.3f radius %.2f" % (
            iteration + 1, w, torch.stack(gp_log[-80:]).mean(), sum(G_log[-80:]) / 80, r))
