from torch import nn
from torch.nn import functional as F


class Generator(nn.Module):
    def __init__(self, latent, width=16):
        super().__init__()
        self.width = width
        self.seed = nn.Linear(latent, width * 16)
        self.up1 = nn.ConvTranspose2d(width, width, 4, stride=2, padding=1)
        self.up2 = nn.ConvTranspose2d(width, 1, 4, stride=2, padding=1)

    def forward(self, z):
        x = F.relu(self.seed(z)).view(-1, self.width, 4, 4)
        return self.up2(F.relu(self.up1(x))).tanh()


class Discriminator(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stages = nn.ModuleList([
            nn.Conv2d(1, width, 4, stride=2, padding=1),
            nn.Conv2d(width, 2 * width, 4, stride=2, padding=1),
        ])
        self.out = nn.Linear(2 * width, 1)

    def forward(self, x):
        feats = []
        for stage in self.stages:
            x = F.leaky_relu(stage(x), 0.2)
            feats.append(x)
        return self.out(x.mean(dim=(2, 3))).squeeze(1), feats
