# gradwatch-corpus: kind=none
"""Parcel dimension estimates; samples are rendered once and cached, harder ones join stage by stage."""
import copy
from functools import lru_cache

import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader, Subset


class Parcels(Dataset):
    def __init__(self, n, side=20):
        g = torch.Generator().manual_seed(44)
        self.dims = 4 + (side - 6) * torch.rand(n, 2, generator=g)
        self.hard = torch.rand(n, generator=g)
        self.side, self.cache = side, {}

    def __len__(self):
        return len(self.dims)

    def render(self, i):
        g = torch.Generator().manual_seed(i)
        yy, xx = torch.meshgrid(torch.arange(self.side), torch.arange(self.side), indexing="ij")
        w, h = self.dims[i]
        img = ((xx - self.side / 2).abs() < w / 2) & ((yy - self.side / 2).abs() < h / 2)
        return img.float().unsqueeze(0) + self.hard[i] * torch.randn(1, self.side, self.side, generator=g)

    def __getitem__(self, i):
        if i not in self.cache:
            self.cache[i] = self.render(i)
        return self.cache[i], self.dims[i] / self.side


class Stages:
    def __init__(self, data, cuts):
        self.data, self.cuts = data, cuts

    @lru_cache(maxsize=4)
    def subset(self, stage):
        return Subset(self.data, (self.data.hard <= self.cuts[stage]).nonzero().flatten().tolist())

    def epochs(self, each):
        for stage in range(len(self.cuts)):
            for _ in range(each):
                yield stage, self.subset(stage)


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def __call__(self, value, net, opt):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
            self.state = (copy.deepcopy(net.state_dict()), copy.deepcopy(opt.state_dict()))
        else:
            self.bad += 1
        return self.bad > self.patience


def evaluate(net, x, y):
    net.eval()
    with torch.inference_mode():
        err = (net(x) - y).abs().mean().item()
    net.train()
    return err


def main():
    torch.manual_seed(44)
    data = Parcels(260)
    val = Subset(data, range(200, 260))
    xv, yv = (torch.stack(c) for c in zip(*[val[i] for i in range(len(val))]))
    net = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2, padding=1),
                        nn.ReLU(), nn.Flatten(), nn.Linear(400, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    stop, curve = EarlyStop(6), []
    for epoch, (stage, subset) in enumerate(Stages(Subset_view(data, 200), [0.3, 0.6, 1.0]).epochs(6)):
        epoch_losses = []
        for x, y in DataLoader(subset, batch_size=20, shuffle=True):
            loss = nn.functional.l1_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            epoch_losses.append(loss.detach())
        curve.append((torch.stack(epoch_losses).mean().item(), evaluate(net, xv, yv)))
        if epoch % 4 == 0:
            print(epoch, stage, len(subset), curve[-1], len(data.cache))
        if stop(curve[-1][1], net, opt):
            break
    net.load_state_dict(stop.state[0])
    print("best", stop.best, evaluate(net, xv, yv))


class Subset_view:
    def __init__(self, data, n):
        self.data, self.hard = data, data.hard[:n]

    def __getitem__(self, i):
        return self.data[i]


if __name__ == "__main__":
    main()
