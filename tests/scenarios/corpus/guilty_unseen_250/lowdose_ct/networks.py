from torch import nn


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(width, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(width, 1, 3, padding=1),
        )

    def forward(self, slices):
        return slices - self.body(slices)


class PatchCritic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2),
        )
        self.verdict = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, slices):
        return self.verdict(self.features(slices))
