# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import math

import torch
import torch.nn.functional as F

from model import RollingForecaster

LOOKBACK, HORIZON = 24, 6


def synthetic_load(n=2000, seed=6):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = 0.5 * torch.sin(2 * math.pi * t / 168 + 0.7)
    noise = 0.1 * torch.randn(n, generator=g)
    return daily + weekly + noise


class WindowDataset(torch.utils.data.Dataset):
    def __init__(self, series):
        self.series = series

    def __len__(self):
        return len(self.series) - LOOKBACK - HORIZON

    def __getitem__(self, i):
        j = i + LOOKBACK
        return self.series[i:j], self.series[j:j + HORIZON]


def standardise(series, split):
    mu, sd = series[:split].mean(), series[:split].std()
    return (series - mu) / sd


@torch.no_grad()
def validate(model, loader):
    model.eval()
    err = [F.l1_loss(model(x), y).item() for x, y in loader]
    model.train()
    return sum(err) / len(err)


def main():
    torch.manual_seed(6)
    series = standardise(synthetic_load(), 1600)
    train = torch.utils.data.DataLoader(WindowDataset(series[:1600]), batch_size=32, shuffle=True)
    val = torch.utils.data.DataLoader(WindowDataset(series[1600:]), batch_size=64)
    model = RollingForecaster(LOOKBACK, HORIZON)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(10):
        for x, y in train:
            optimizer.zero_grad(set_to_none=True)
            loss = F.huber_loss(model(x), y)
            loss.backward()
            optimizer.step()
        mae = validate(model, val)
        scheduler.step(mae)
        print(f"epoch {epoch} train {loss.item():.4f} val mae {mae:.4f}")


if __name__ == "__main__":
    main()
