from torch import nn


class NowcastNet(nn.Module):
    def __init__(self, frames, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(frames, width, 3, padding=1), nn.ReLU(),
                                   nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.rain = nn.Conv2d(width, 1, 1)
        self.storm, self.mean = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        g = h.amax((2, 3))
        return {"rain": self.rain(h), "storm": self.storm(g).squeeze(1), "mean": self.mean(h.mean((2, 3))).squeeze(1)}
