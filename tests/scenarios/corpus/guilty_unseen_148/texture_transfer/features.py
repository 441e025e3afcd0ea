from torch import nn


class TinyVGG(nn.Module):
    def __init__(self):
        super().__init__()
        chans = [3, 8, 12, 16]
        self.stages = nn.ModuleList(
            nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.Softplus(), nn.AvgPool2d(2))
            for i, o in zip(chans, chans[1:])
        )

    def forward(self, x):
        maps = []
        for s in self.stages:
            x = s(x)
            maps.append(x)
        return maps
