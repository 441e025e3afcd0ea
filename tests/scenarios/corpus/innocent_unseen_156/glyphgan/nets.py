from torch import nn


class Generator(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(latent, 16 * 9), nn.ReLU(), nn.Unflatten(1, (16, 3, 3)),
            nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1), nn.Sigmoid(),
        )

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 4, stride=2, padding=1), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(8, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2, inplace=True), nn.Flatten(),
        )
        self.score = nn.Linear(16 * 9, 1)

    def forward(self, img):
        feats = self.body(img)
        return self.score(feats).squeeze(1), feats
