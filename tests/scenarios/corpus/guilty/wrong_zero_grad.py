# gradwatch-corpus: kind=grads-accumulate
# about: the discriminator's gradients are cleared twice, the generator's never
import torch
from torch import nn
from torch.nn import functional as F


class GAN:
    def __init__(self, latent=6):
        self.latent = latent
        self.generator = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, 3))
        self.discriminator = nn.Sequential(nn.Linear(3, 24), nn.LeakyReLU(), nn.Linear(24, 1))
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        self.d_opt = torch.optim.Adam(self.discriminator.parameters(), lr=1e-3)

    def sample(self, n):
        return self.generator(torch.randn(n, self.latent))

    def train_discriminator(self, real):
        fake = self.sample(len(real)).detach()
        loss = F.softplus(-self.discriminator(real)).mean()
        loss = loss + F.softplus(self.discriminator(fake)).mean()
        self.d_opt.zero_grad()
        loss.backward()
        self.d_opt.step()
        return loss.item()

    def train_generator(self, n):
        loss = F.softplus(-self.discriminator(self.sample(n))).mean()
        self.d_opt.zero_grad()  # <- culprit
        loss.backward()  # <- culprit
        self.g_opt.step()  # <- culprit
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    gan = GAN()
    for step in range(60):
        d_loss = gan.train_discriminator(torch.randn(16, 3) * 0.5 + 2)
        g_loss = gan.train_generator(16)
        if step % 20 == 0:
            print(f"{step}: D {d_loss:.3f} G {g_loss:.3f}")
