# gradwatch-corpus: kind=graph-held
# holder: self.sse | metric.sse | self.metrics["r2"].sse | m.sse
# first-bad: 1
# also: graph-unused
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class RSquared:
    """Streaming R^2 in the style of a metric library."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.sse = 0.0
        self.sum_y = 0.0
        self.sum_y2 = 0.0
        self.n = 0

    def update(self, pred, y):
        self.sse += torch.sum((pred - y) ** 2)  # <- culprit
        self.sum_y += y.sum()
        self.sum_y2 += (y ** 2).sum()
        self.n += y.numel()

    def compute(self):
        sst = self.sum_y2 - self.sum_y ** 2 / self.n
        return 1.0 - float(self.sse) / float(sst)


def build_data(n=2400):
    g = torch.Generator().manual_seed(8)
    x = torch.randn(n, 9, generator=g)
    price = 2 * x[:, 0] - x[:, 1] * x[:, 2] + torch.sin(2 * x[:, 3]) + 0.2 * torch.randn(n, generator=g)
    return TensorDataset(x, price)


class Regressor(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(d, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class Trainer:
    def __init__(self, model, metrics):
        self.model = model
        self.metrics = metrics
        self.opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
        self.loss_fn = nn.HuberLoss()

    def fit_epoch(self, loader):
        self.model.train()
        for m in self.metrics.values():
            m.reset()
        for x, y in loader:
            pred = self.model(x)
            loss = self.loss_fn(pred, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for m in self.metrics.values():
                m.update(pred, y)  # <- culprit
        return {k: m.compute() for k, m in self.metrics.items()}

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        for m in self.metrics.values():
            m.reset()
        for x, y in loader:
            for m in self.metrics.values():
                m.update(self.model(x), y)
        return {k: m.compute() for k, m in self.metrics.items()}


def main():
    torch.manual_seed(0)
    tr, va = random_split(build_data(), [2000, 400])
    train_dl = DataLoader(tr, batch_size=50, shuffle=True)
    val_dl = DataLoader(va, batch_size=200)
    trainer = Trainer(Regressor(9), {"r2": RSquared()})
    for epoch in range(4):
        t, v = trainer.fit_epoch(train_dl), trainer.validate(val_dl)
        print(f"epoch {epoch}: train R2 {t['r2']:.3f} val R2 {v['r2']:.3f}")


if __name__ == "__main__":
    main()
