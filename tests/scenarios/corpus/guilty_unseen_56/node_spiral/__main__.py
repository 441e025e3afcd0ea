# gradwatch-corpus: kind=second-backward
# first-bad: 1
import argparse

import torch
import torch.nn as nn

from .integrate import Segmenter, odeint


class Field(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, t, z):
        return self.net(z ** 3)


def ground_truth(n, ts):
    a = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    z0 = torch.tensor([2.0, 0.0]) + 0.1 * torch.randn(n, 2)
    with torch.no_grad():
        return odeint(lambda t, z: z.pow(3) @ a, z0, ts)


def main(opts):
    torch.manual_seed(opts.seed)
    torch.set_num_threads(1)
    ts = torch.linspace(0, 3, opts.points)
    true = ground_truth(opts.batch, ts)
    field = Field()
    opt = torch.optim.RMSprop(field.parameters(), lr=1e-3)
    seg = Segmenter(field, ts, opts.segment)
    for epoch in range(opts.epochs):
        seg.start(true[0])
        losses = []
        while not seg.finished:
            where, pred = seg.advance()
            loss = (pred - true[where]).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--segment", type=int, default=10)
    ap.add_argument("--points", type=int, default=61)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
