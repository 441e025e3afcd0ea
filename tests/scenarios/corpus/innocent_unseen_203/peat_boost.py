# gradwatch-corpus: kind=none
"""Gradient boosting of small networks on peat moisture, with corrective passes."""
import torch
from torch import nn


def weak(inputs, width=6):
    return nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, 1))


class GrowNet(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.stages = nn.ModuleList()
        self.scales = nn.ParameterList()
        self.rate = rate
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        out = self.bias.expand(len(x))
        for scale, stage in zip(self.scales, self.stages):
            out = out + scale * stage(x).squeeze(1)
        return out

    def append(self, stage):
        self.stages.append(stage)
        self.scales.append(nn.Parameter(torch.tensor(self.rate)))


class Booster:
    def __init__(self, x, y, rate=0.5):
        self.x, self.y = x, y
        self.ensemble = GrowNet(rate)
        with torch.no_grad():
            self.ensemble.bias.fill_(y.mean().item())
        self.residual = y - y.mean()
        self.path = []

    def batch(self, n=48):
        return torch.randint(0, len(self.x), (n,))

    def fit_stage(self, steps):
        stage = weak(self.x.shape[1])
        opt = torch.optim.Adam(stage.parameters(), lr=1e-2)
        for _ in range(steps):
            i = self.batch()
            loss = nn.functional.mse_loss(stage(self.x[i]).squeeze(1), self.residual[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
        self.ensemble.append(stage)

    def correct(self, steps):
        opt = torch.optim.SGD(self.ensemble.parameters(), lr=5e-3)
        for _ in range(steps):
            i = self.batch()
            loss = nn.functional.mse_loss(self.ensemble(self.x[i]), self.y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()

    def grow(self, steps=50, corrective=12):
        self.fit_stage(steps)
        self.correct(corrective)
        with torch.no_grad():
            pred = self.ensemble(self.x)
        self.residual = self.y - pred
        self.path.append((len(self.ensemble.stages), self.residual.pow(2).mean().item()))


def peat(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 5, generator=g) * 2 - 1
    y = torch.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * x[:, 3].abs()
    return x, y + 0.1 * torch.randn(n, generator=g)


def main(stages=8):
    torch.manual_seed(91)
    booster = Booster(*peat(600, 91))
    test_x, test_y = peat(300, 92)
    for _ in range(stages):
        booster.grow()
        with torch.no_grad():
            test = (booster.ensemble(test_x) - test_y).pow(2).mean().item()
        print("stages %d train %.4f" % booster.path[-1], f"test {test:.4f}")
    print("scales", [round(s.item(), 3) for s in booster.ensemble.scales])


if __name__ == "__main__":
    main()
