# gradwatch-corpus: kind=second-backward
# holder: fake
# notice: 1
# about: the discriminator's step backwards through the generator, whose graph is needed again
import torch
import torch.nn as nn

torch.manual_seed(0)
latent = 8

G = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()


def real_batch(n=16):
    angle = 6.2832 * torch.rand(n)
    return torch.stack([angle.cos(), angle.sin()], dim=1)


for step in range(60):
    real = real_batch()
    fake = G(torch.randn(16, latent))

    # train the discriminator
    opt_d.zero_grad()
    loss_real = bce(D(real), torch.ones(16, 1))
    loss_fake = bce(D(fake), torch.zeros(16, 1))  # <- culprit
    loss_d = loss_real + loss_fake
    loss_d.backward()  # <- culprit
    opt_d.step()

    # train the generator
    opt_g.zero_grad()
    loss_g = bce(D(fake), torch.ones(16, 1))
    loss_g.backward()
    opt_g.step()
