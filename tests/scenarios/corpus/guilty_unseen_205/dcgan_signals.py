# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""1-D conv GAN producing ECG-like beats."""
import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, nz=16, ngf=16):
        super().__init__()
        self.nz = nz
        self.main = nn.Sequential(
            nn.ConvTranspose1d(nz, ngf * 2, 8), nn.BatchNorm1d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose1d(ngf * 2, ngf, 4, 2, 1), nn.BatchNorm1d(ngf), nn.ReLU(True),
            nn.ConvTranspose1d(ngf, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf=16):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv1d(1, ndf, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv1d(ndf, ndf * 2, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv1d(ndf * 2, 1, 8),
        )

    def forward(self, x):
        return self.main(x).flatten()


def beats(n, length=32):
    t = torch.linspace(-1, 1, length)
    center = 0.2 * torch.randn(n, 1)
    width = 0.08 + 0.04 * torch.rand(n, 1)
    x = torch.exp(-((t - center) / width) ** 2) - 0.3 * torch.exp(-((t - center - 0.25) / width) ** 2)
    return (x + 0.02 * torch.randn(n, length)).unsqueeze(1)


class GANTrainer:
    def __init__(self, lr=2e-4, betas=(0.5, 0.999)):
        self.G, self.D = Generator(), Discriminator()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=lr, betas=betas)
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=lr, betas=betas)
        self.criterion = nn.BCEWithLogitsLoss()
        self.history = {"d": [], "g": []}

    def step(self, real):
        n = real.size(0)
        ones, zeros = torch.ones(n), torch.zeros(n)
        fake = self.G(torch.randn(n, self.G.nz, 1))

        self.opt_d.zero_grad()
        loss_real = self.criterion(self.D(real), ones)
        loss_fake = self.criterion(self.D(fake), zeros)  # <- culprit
        loss_d = 0.5 * (loss_real + loss_fake)
        loss_d.backward()
        self.opt_d.step()

        self.opt_g.zero_grad()
        loss_g = self.criterion(self.D(fake), ones)
        loss_g.backward()
        self.opt_g.step()

        self.history["d"].append(loss_d.item())
        self.history["g"].append(loss_g.item())


def main(iters=500, batch_size=32):
    torch.manual_seed(17)
    trainer = GANTrainer()
    for it in range(iters):
        trainer.step(beats(batch_size))
        if it % 50 == 0:
            print(f"{it:4d}  D {trainer.history['d'][-1]:.3f}  G {trainer.history['g'][-1]:.3f}")


if __name__ == "__main__":
    main()
