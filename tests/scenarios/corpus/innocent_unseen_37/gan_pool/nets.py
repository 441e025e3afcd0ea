from torch import nn


class Generator(nn.Module):
    def __init__(self, nz, ch):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(nz, ch * 2 * 16), nn.ReLU(), nn.Unflatten(1, (ch * 2, 4, 4)),
            nn.ConvTranspose2d(ch * 2, ch, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose2d(ch, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, ch, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch, ch * 2, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(),
        )
        self.score = nn.Linear(ch * 2 * 16, 1)

    def forward(self, x):
        f = self.features(x)
        return self.score(f).squeeze(-1), f
