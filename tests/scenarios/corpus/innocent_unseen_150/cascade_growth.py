# gradwatch-corpus: kind=none
"""Cascade correlation style regression: a hidden unit joins every 12 updates and sees all earlier ones."""
import torch
from torch import nn

torch.manual_seed(37)
torch.set_num_threads(1)


class Cascade(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.n_in = n_in
        self.units = nn.ModuleList()
        self.out = nn.Linear(n_in, 1)

    def grow(self):
        self.units.append(nn.Linear(self.n_in + len(self.units), 1))
        wider = nn.Linear(self.n_in + len(self.units), 1)
        with torch.no_grad():
            wider.weight.zero_()
            wider.weight[:, :-1] = self.out.weight
            wider.bias.copy_(self.out.bias)
        self.out = wider

    def forward(self, x):
        h = x
        for unit in self.units:
            h = torch.cat([h, torch.tanh(unit(h))], 1)
        return self.out(h).squeeze(1)


def spirals(n):
    t = torch.rand(n) * 3
    side = torch.randint(0, 2, (n,)).float()
    a = t * 3.0 + side * 3.1416
    return torch.stack([t * a.cos(), t * a.sin()], 1) + 0.02 * torch.randn(n, 2), side


def main():
    net = Cascade(2)
    opt = torch.optim.Adam(net.parameters(), lr=2e-2)
    for step in range(144):
        if step % 12 == 11:
            net.grow()
            opt = torch.optim.Adam(net.parameters(), lr=2e-2)
        x, y = spirals(64)
        loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 24 == 23:
            print(step, len(net.units), f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
