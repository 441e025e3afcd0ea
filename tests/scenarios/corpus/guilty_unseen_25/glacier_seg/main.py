# gradwatch-corpus: kind=graph-held
# holder: net.enc1[1].running_mean | net.enc1[1].running_var | net.enc2[1].running_mean | net.enc2[1].running_var | self.running_mean | self.running_var
# first-bad: 1
# notice: 8
# after: pytorch/pytorch #20275 "Memory (CPU/sys) leak with custom batch norm layer"
"""python main.py  --  debris-covered glacier outline from 4-band tiles (toy)."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from layers import conv_bn


class SmallUNet(nn.Module):
    def __init__(self, bands, width):
        super().__init__()
        self.enc1 = conv_bn(bands, width)
        self.enc2 = conv_bn(width, 2 * width, stride=2)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.head = nn.Conv2d(2 * width, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.up(self.enc2(a))
        return self.head(torch.cat([a, b], 1))


def dice(logits, y):
    p = logits.sigmoid()
    return 1 - (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--width", type=int, default=8)
    args = ap.parse_args(argv)
    torch.manual_seed(0)
    x = torch.randn(96, 4, 24, 24)
    y = (x[:, :1] + x[:, 1:2] > 0.3).float()
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    net = SmallUNet(4, args.width)
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = dice(net(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} dice-loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main([])
