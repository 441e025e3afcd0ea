# gradwatch-corpus: kind=none
"""Parcel delivery times with sparsely routed experts."""
import torch
from torch import nn

from experts import RoutedLayer


class ParcelNet(nn.Module):
    def __init__(self, inputs=12, d=24):
        super().__init__()
        self.inp = nn.Linear(inputs, d)
        self.layers = nn.ModuleList(RoutedLayer(d, experts=5, top=2) for _ in range(2))
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for layer in self.layers:
            h = layer(h)
        return self.out(h).squeeze(1)

    def balance(self):
        return sum(layer.aux for layer in self.layers)

    def usage(self):
        return [layer.usage.tolist() for layer in self.layers]


def parcels(n, gen):
    x = torch.randn(n, 12, generator=gen)
    region = torch.randint(0, 4, (n,), generator=gen)
    x[:, 0] = region.float() - 1.5
    y = torch.stack([x[:, 1] * 2, x[:, 2].abs(), x[:, 3] * x[:, 4], 1 - x[:, 5]], 1)[torch.arange(n), region]
    return x, y


def main(steps=450):
    torch.manual_seed(62)
    gen = torch.Generator().manual_seed(62)
    net = ParcelNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    stats = {"fit": 0.0, "aux": 0.0}
    for step in range(steps):
        x, y = parcels(64, gen)
        fit = nn.functional.mse_loss(net(x), y)
        aux = net.balance()
        loss = fit + 0.01 * aux
        opt.zero_grad()
        loss.backward()
        opt.step()
        for k, v in (("fit", fit), ("aux", aux)):
            stats[k] += 0.05 * (v.item() - stats[k])
        if step % 90 == 89:
            print(step, {k: round(v, 3) for k, v in stats.items()})
    for row in net.usage():
        print("usage", [round(v, 2) for v in row])


if __name__ == "__main__":
    main()
