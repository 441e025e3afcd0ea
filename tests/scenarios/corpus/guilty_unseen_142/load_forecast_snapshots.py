# gradwatch-corpus: kind=graph-held
# holder: ens.members | self.members | run.ens.members
# first-bad: 1
# notice: 8
"""Day-ahead load forecast, cyclic learning rate, snapshot ensembling of the validation forecasts."""
import math
import torch
import torch.nn as nn
torch.set_num_threads(1)


def load_curve(n):
    t = torch.arange(n, dtype=torch.float32)
    return 1 + 0.5 * torch.sin(2 * math.pi * t / 24) + 0.2 * torch.sin(2 * math.pi * t / 168) + 0.05 * torch.randn(n)


class NBlock(nn.Module):
    def __init__(self, back, fore, hid=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(back, hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU())
        self.b, self.f = nn.Linear(hid, back), nn.Linear(hid, fore)

    def forward(self, x):
        h = self.body(x)
        return x - self.b(h), self.f(h)


class NBeats(nn.Module):
    def __init__(self, back=48, fore=24, blocks=3):
        super().__init__()
        self.blocks = nn.ModuleList(NBlock(back, fore) for _ in range(blocks))

    def forward(self, x):
        y = 0.0
        for blk in self.blocks:
            x, f = blk(x)
            y = y + f
        return y


class SnapshotEnsemble:
    def __init__(self, x, y, every):
        self.x, self.y, self.every = x, y, every
        self.members = []

    def collect(self, model, it):
        if it % self.every:
            return
        model.eval()
        self.members.append(model(self.x))  # <- culprit
        model.train()

    def rmse(self):
        stacked = torch.stack([m.data for m in self.members[-10:]])
        return (stacked.mean(0) - self.y).pow(2).mean().sqrt().item()


def windows(series, back=48, fore=24):
    w = series.unfold(0, back + fore, 1)
    return w[:, :back], w[:, back:]


def main():
    torch.manual_seed(5)
    x, y = windows(load_curve(600))
    ens = SnapshotEnsemble(x[-12:], y[-12:], every=2)
    x, y = x[:-40], y[:-40]
    net = NBeats()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 50)
    for it in range(420):
        idx = torch.randint(0, x.size(0), (16,))
        opt.zero_grad()
        loss = nn.functional.smooth_l1_loss(net(x[idx]), y[idx])
        loss.backward()
        ens.collect(net, it)
        opt.step()
        sched.step()
        if it % 70 == 69:
            print(it, f"{loss.item():.4f} ensemble rmse {ens.rmse():.4f}")


main()
