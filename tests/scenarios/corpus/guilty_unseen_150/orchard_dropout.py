# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Orchard yield model; after the settling phase whole sensor groups are masked."""
import torch
from torch import nn

torch.manual_seed(31)
torch.set_num_threads(1)


class GroupMask:
    def __init__(self, groups, width):
        self.groups = torch.arange(width).chunk(groups)
        self.active = False

    def __call__(self, h):
        if self.active:
            out = self.groups[int(torch.randint(0, len(self.groups), (1,)))]
            h[:, out] = 0.0  # <- culprit
        return h


class OrchardNet(nn.Module):
    def __init__(self, n_in, width=24):
        super().__init__()
        self.enc = nn.Linear(n_in, width)
        self.mask = GroupMask(4, width)
        self.dec = nn.Linear(width, 1)

    def encode(self, x):
        h = torch.tanh(self.enc(x))
        return self.mask(h)  # <- culprit

    def forward(self, x):
        return self.dec(self.encode(x)).squeeze(-1)


class Settle:
    def __init__(self, steps):
        self.steps = steps

    def on_step(self, step, net):
        if step == self.steps:
            net.mask.active = True


def season(n):
    x = torch.randn(n, 9)
    return x, x[:, 0] * 0.5 + torch.sin(x[:, 1]) - 0.2 * x[:, 2:5].sum(1)


def main():
    net = OrchardNet(9)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    callbacks = [Settle(40)]
    for step in range(120):
        for cb in callbacks:
            cb.on_step(step, net)
        x, y = season(40)
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, f"{loss.item():.4f}")


main()
