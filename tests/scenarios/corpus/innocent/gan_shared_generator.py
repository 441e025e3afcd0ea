# gradwatch-corpus: kind=none
# about: one forward of the generator serves both players: the discriminator's backward retains
# about: its graph, the generator's backward uses it after the discriminator has stepped
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Generator(nn.Module):
    def __init__(self, nz=8, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(nz, 32), nn.ReLU(), nn.Linear(32, dim), nn.Tanh())

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).mean()


class HingeGAN:
    def __init__(self):
        self.G, self.D = Generator(), Discriminator()
        self.optimizers = {
            "D": torch.optim.RMSprop(self.D.parameters(), lr=5e-4),
            "G": torch.optim.RMSprop(self.G.parameters(), lr=5e-4),
        }
        self.losses = {}

    def train_step(self, real):
        self.fake = self.G(torch.randn(len(real), 8))
        self.losses["D"] = torch.relu(1 - self.D(real)) + torch.relu(1 + self.D(self.fake))
        self.optimizers["D"].zero_grad()
        self.losses["D"].backward(retain_graph=True)
        self.optimizers["D"].step()

        self.losses["G"] = -self.D(self.fake)
        self.optimizers["G"].zero_grad()
        self.losses["G"].backward()
        self.optimizers["G"].step()


if __name__ == "__main__":
    torch.manual_seed(0)
    gan = HingeGAN()
    for it in range(ITERATIONS):
        gan.train_step(torch.randn(16, 16).clamp(-1, 1) * 0.5 + 0.2)
        if it % 50 == 0:
            print(it, {k: round(v.item(), 6) for k, v in gan.losses.items()})
