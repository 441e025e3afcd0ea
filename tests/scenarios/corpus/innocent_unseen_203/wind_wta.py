# gradwatch-corpus: kind=none
"""Multiple-choice wind forecasts: only the closest head is trained on each sample."""
import torch
from torch import nn


class ManyHeads(nn.Module):
    def __init__(self, inputs, heads=6, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.SiLU())
        self.heads = nn.ModuleList(nn.Sequential(nn.Linear(width, 16), nn.SiLU(), nn.Linear(16, 2)) for _ in range(heads))
        self.confidence = nn.Linear(width, heads)

    def forward(self, x):
        h = self.trunk(x)
        return torch.stack([head(h) for head in self.heads], 1), self.confidence(h)


class WinnerLoss:
    def __init__(self, heads, relax=0.05):
        self.heads = heads
        self.relax = relax
        self.wins = torch.zeros(heads)
        self.last = {}

    def __call__(self, pred, conf, y):
        err = (pred - y.unsqueeze(1)).pow(2).sum(-1)
        best, who = err.min(dim=1)
        self.wins.mul_(0.98).add_(torch.bincount(who, minlength=self.heads), alpha=0.02)
        others = (err.sum(1) - best) / (self.heads - 1)
        fit = (1 - self.relax) * best + self.relax * others
        pick = nn.functional.cross_entropy(conf, who)
        self.last = {"best": best.mean(), "pick": pick}
        return fit.mean() + 0.2 * pick

    def text(self):
        return " ".join(f"{k}={v.item():.3f}" for k, v in self.last.items())


def wind(n, gen):
    hist = torch.randn(n, 10, generator=gen)
    speed = hist[:, :3].mean(1).abs() + 0.2
    gust = torch.where(torch.rand(n, generator=gen) < 0.5, 1.0, -1.0)
    theta = hist[:, 4] + gust * 0.8
    return hist, torch.stack([speed * theta.cos(), speed * theta.sin()], 1)


def main(steps=440):
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(19)
    net, criterion = ManyHeads(10), WinnerLoss(6)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    curve = []
    for step in range(steps):
        x, y = wind(64, gen)
        pred, conf = net(x)
        loss = criterion(pred, conf, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.item())
        if step % 88 == 0:
            print(step, f"{sum(curve[-44:]) / len(curve[-44:]):.3f}", criterion.text(),
                  "wins", [round(v, 1) for v in criterion.wins.tolist()])
    with torch.no_grad():
        x, y = wind(256, gen)
        pred, conf = net(x)
        chosen = pred[torch.arange(256), conf.argmax(1)]
        print("chosen head rmse", (chosen - y).pow(2).mean().sqrt().item())


if __name__ == "__main__":
    main()
