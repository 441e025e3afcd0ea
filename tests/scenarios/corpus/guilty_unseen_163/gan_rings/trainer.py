import torch
from torch import nn


class GANTrainer:
    def __init__(self, G, D, lr=2e-4):
        self.G, self.D = G, D
        self.criterion = nn.BCEWithLogitsLoss()
        self.opt_g = torch.optim.Adam(G.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(D.parameters(), lr=lr, betas=(0.5, 0.999))

    def d_step(self, real, fake):
        self.opt_d.zero_grad()
        ones, zeros = torch.ones(len(real)), torch.zeros(len(fake))
        loss = self.criterion(self.D(real), ones)
        loss = loss + self.criterion(self.D(fake), zeros)  # <- culprit
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def g_step(self, fake):
        self.opt_g.zero_grad()
        loss = self.criterion(self.D(fake), torch.ones(len(fake)))
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def step(self, real):
        z = torch.randn(len(real), self.G.nz)
        fake = self.G(z)
        d = self.d_step(real, fake)  # <- culprit
        g = self.g_step(fake)
        return d, g
