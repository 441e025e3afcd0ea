from torch import nn


class Maker(nn.Module):
    def __init__(self, latent, length):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(
            nn.Linear(latent, 48),
            nn.LeakyReLU(0.2),
            nn.Linear(48, length),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(length, 48),
            nn.LeakyReLU(0.2),
            nn.Linear(48, 1),
        )

    def forward(self, wave):
        return self.net(wave).squeeze(1)
