# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 1
# holder: fake
import torch
import torch.nn as nn

torch.manual_seed(0)


class Generator(nn.Module):
    def __init__(self, z=16, out=32):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(z, 128), nn.LeakyReLU(0.2), nn.Linear(128, out), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(d, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1))

    def forward(self, x):
        return self.main(x)


G, D = Generator(), Discriminator()
g_opt = torch.optim.Adam(G.parameters(), lr=2e-4)
d_opt = torch.optim.Adam(D.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()

for i in range(200):
    real = torch.rand(64, 32) * 2 - 1
    z = torch.randn(64, 16)
    fake = G(z)  # <- culprit

    d_opt.zero_grad()
    d_real = bce(D(real), torch.ones(64, 1))
    d_fake = bce(D(fake), torch.zeros(64, 1))  # <- culprit
    d_loss = d_real + d_fake
    d_loss.backward()  # <- culprit
    d_opt.step()

    g_opt.zero_grad()
    g_loss = bce(D(fake), torch.ones(64, 1))  # <- culprit
    g_loss.backward()  # <- culprit
    g_opt.step()

    if i % 20 == 0:
        print("iter %d d_loss %.3f g_loss %.3f" % (i, d_loss.item(), g_loss.item()))
