# gradwatch-corpus: kind=none
import math
import torch
from torch import nn, autograd, optim

torch.manual_seed(1)
LAMBDA = 0.1
CRITIC_ITERS = 3
BATCH = 64
DIM = 64


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(2, DIM),
            nn.ReLU(True),
            nn.Linear(DIM, DIM),
            nn.ReLU(True),
            nn.Linear(DIM, 2),
        )

    def forward(self, noise):
        return self.main(noise)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(2, DIM),
            nn.Softplus(),
            nn.Linear(DIM, DIM),
            nn.Softplus(),
            nn.Linear(DIM, 1),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def inf_train_gen():
    while True:
        t = torch.rand(BATCH) * math.pi
        side = torch.randint(0, 2, (BATCH,)).float()
        x = torch.cos(t) * (1 - 2 * side) + side
        y = torch.sin(t) * (1 - 2 * side) + 0.5 * side
        yield torch.stack([x, y], 1) + 0.05 * torch.randn(BATCH, 2)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(BATCH, 1)
    interpolates = alpha * real + (1 - alpha) * fake
    interpolates.requires_grad_(True)
    scores = netD(interpolates)
    gradients = autograd.grad(
        outputs=scores,
        inputs=interpolates,
        grad_outputs=torch.ones_like(scores),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


netG = Generator()
netD = Critic()
optD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
one = torch.tensor(1.0)
mone = one * -1
data = inf_train_gen()
history = {"wass": [], "gp": []}
last_fakes = []

for iteration in range(60):
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        real = next(data)
        netD.zero_grad()
        D_real = netD(real).mean()
        D_real.backward(mone)
        with torch.no_grad():
            fake = netG(torch.randn(BATCH, 2))
        D_fake = netD(fake).mean()
        D_fake.backward(one)
        gp = calc_gradient_penalty(netD, real, fake)
        gp.backward()
        optD.step()
        wass = D_real - D_fake
        history["wass"].append(wass.item())
        history["gp"].append(gp.item())

    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G = netD(netG(torch.randn(BATCH, 2))).mean()
    G.backward(mone)
    optG.step()
    last_fakes.append(fake)
    if len(last_fakes) > 5:
        last_fakes.pop(0)
    if iteration % 20 == 19:
        print(iteration + 1, "W", round(history["wass"][-1], 3), "gp", round(history["gp"][-1], 4))
print(torch.cat(last_fakes).std(0).tolist())
