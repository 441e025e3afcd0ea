# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)

LAMBDA, CRITIC_ITERS, BATCH = 10, 4, 64


class Generator(nn.Module):
    def __init__(self, z=4, h=64):
        super().__init__()
        self.z = z
        self.main = nn.Sequential(nn.Linear(z, h), nn.ReLU(True), nn.Linear(h, h), nn.ReLU(True), nn.Linear(h, 2))

    def sample(self, n):
        return self.main(torch.randn(n, self.z))


class Critic(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, h), nn.ReLU(True), nn.Linear(h, h), nn.ReLU(True), nn.Linear(h, 1))

    def forward(self, x):
        return self.main(x).view(-1)


def swissroll():
    while True:
        t = 1.5 * 3.1416 * (1 + 2 * torch.rand(BATCH))
        yield torch.stack([t * t.cos(), t * t.sin()], 1) / 7.5 + 0.03 * torch.randn(BATCH, 2)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(BATCH, 1)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = netD(inter)
    grads = torch.autograd.grad(out, inter, grad_outputs=torch.ones_like(out),
                                create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


netG, netD = Generator(), Critic()
optG = torch.optim.Adam(netG.parameters(), lr=1e-4, betas=(0.5, 0.9))
optD = torch.optim.Adam(netD.parameters(), lr=1e-4, betas=(0.5, 0.9))
data = swissroll()
one = torch.tensor(1.0)
mone = one * -1
w_hist = []

for iteration in range(45):
    for p in netD.parameters():
        p.requires_grad_(True)
    for _ in range(CRITIC_ITERS):
        real = next(data)
        netD.zero_grad()
        D_real = netD(real).mean()
        D_real.backward(mone)
        with torch.no_grad():
            fake = netG.sample(BATCH)
        D_fake = netD(fake).mean()
        D_fake.backward(one)
        gp = calc_gradient_penalty(netD, real, fake)
        gp.backward()
        optD.step()
        wass = D_real - D_fake
    w_hist.append(wass.item())

    for p in netD.parameters():
        p.requires_grad_(False)
    netG.zero_grad()
    G = netD(netG.sample(BATCH)).mean()
    G.backward(mone)
    optG.step()
    if iteration % 15 == 0:
        print(iteration, "W", round(w_hist[-1], 4), "G", round(-G.item(), 4))
