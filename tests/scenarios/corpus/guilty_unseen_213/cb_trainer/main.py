# gradwatch-corpus: kind=graph-held
# holder: self.sums | meters.sums | self.meters.sums | trainer.callbacks[1].meters.sums
# first-bad: 1
import torch
from torch import nn

from callbacks import LRWarmup, MetricTracker
from engine import Trainer


class TCNBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.conv = nn.Conv1d(ch, ch, 3, padding=dilation, dilation=dilation)
        self.norm = nn.BatchNorm1d(ch)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class Forecaster(nn.Module):
    def __init__(self, ch=16, horizon=8):
        super().__init__()
        self.stem = nn.Conv1d(2, ch, 1)
        self.blocks = nn.Sequential(*[TCNBlock(ch, 2 ** i) for i in range(3)])
        self.head = nn.Linear(ch, horizon)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean(-1))


class ElectricityLike(torch.utils.data.Dataset):
    def __init__(self, n=640, length=48, horizon=8):
        g = torch.Generator().manual_seed(0)
        t = torch.arange(length + horizon).float()
        phase = torch.rand(n, 1, generator=g) * 24
        load = torch.sin((t + phase) * 6.283 / 24) + 0.1 * torch.randn(n, length + horizon, generator=g)
        temp = torch.cos((t + phase) * 6.283 / 24)
        self.x = torch.stack([load[:, :length], temp[:, :length]], 1)
        self.y = load[:, length:]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main():
    torch.manual_seed(3)
    loader = torch.utils.data.DataLoader(ElectricityLike(), batch_size=16, shuffle=True)
    model = Forecaster()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    trainer = Trainer(model, opt, callbacks=[LRWarmup(20), MetricTracker(print_every=40)])
    trainer.fit(loader, epochs=3)


if __name__ == "__main__":
    main()
