from torch import nn


class Generator(nn.Module):
    def __init__(self, bands=4, width=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(bands, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(width, width, 8, stride=4, padding=2),
            nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(width, 1, 4, stride=2, padding=1),
            nn.Tanh(),
        )

    def forward(self, mel):
        return self.net(mel)


class WaveCritic(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.blocks = nn.ModuleList([
            nn.Conv1d(1, width, 5, stride=2, padding=2),
            nn.Conv1d(width, width, 5, stride=2, padding=2),
        ])
        self.post = nn.Conv1d(width, 1, 3, padding=1)
        self.act = nn.LeakyReLU(0.1)

    def forward(self, wave):
        maps = []
        for block in self.blocks:
            wave = self.act(block(wave))
            maps.append(wave)
        return self.post(wave), maps
