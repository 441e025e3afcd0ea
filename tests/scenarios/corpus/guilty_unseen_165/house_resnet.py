# gradwatch-corpus: kind=inplace-modified
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(13)


class GatedResidual(nn.Module):
    def __init__(self, dim, drop=0.1):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.lin = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.norm(x)
        g = torch.sigmoid(self.gate(h))
        out = torch.tanh(self.lin(h))
        out *= g  # <- culprit
        return x + self.drop(out)


class HousePriceNet(nn.Module):
    def __init__(self, features, dim=24, depth=3):
        super().__init__()
        self.stem = nn.Linear(features, dim)
        self.blocks = nn.ModuleList(GatedResidual(dim) for _ in range(depth))
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.stem(x)
        for block in self.blocks:
            h = block(h)
        return self.head(h).squeeze(-1)


class EarlyStopping:
    def __init__(self, patience=4):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def step(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def housing(n=800):
    x = torch.randn(n, 10)
    y = 2 * x[:, 0] - x[:, 1] * x[:, 2] + torch.relu(x[:, 3]) + 0.1 * torch.randn(n)
    return x, (y - y.mean()) / y.std()


def main():
    x, y = housing()
    train = DataLoader(TensorDataset(x[:640], y[:640]), batch_size=32, shuffle=True)
    model = HousePriceNet(10)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=10)
    loss_fn = nn.HuberLoss()
    stopper = EarlyStopping()
    for epoch in range(10):
        model.train()
        for xb, yb in train:
            loss = loss_fn(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        model.eval()
        with torch.no_grad():
            val = loss_fn(model(x[640:]), y[640:]).item()
        print(f"epoch {epoch} val {val:.4f}")
        if stopper.step(val):
            break


if __name__ == "__main__":
    main()
