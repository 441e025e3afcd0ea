# gradwatch-corpus: kind=second-backward
# first-bad: 24
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import Decorrelate, Printer
from engine import Engine


class SkillNet(nn.Module):
    def __init__(self, n_in=14, n_feat=10, n_out=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 32), nn.Mish(), nn.Linear(32, n_feat))
        self.head = nn.Linear(n_feat, n_out)

    def forward(self, x):
        z = self.trunk(x)
        return self.head(z), z


def dataset(n=600):
    x = torch.randn(n, 14)
    w = torch.randn(14, 3)
    return TensorDataset(x, torch.tanh(x @ w) + 0.1 * torch.randn(n, 3))


def main():
    torch.manual_seed(0)
    net = SkillNet()
    engine = Engine(
        net,
        torch.optim.Adam(net.parameters(), lr=2e-3),
        callbacks=[Printer(every=10), Decorrelate(every=25, weight=0.05)],
    )
    engine.fit(DataLoader(dataset(), batch_size=20, shuffle=True), epochs=3)


if __name__ == "__main__":
    main()
