# gradwatch-corpus: kind=inplace-modified
# holder: y
# first-bad: 0
# notice: 0
"""Neural ODE fitted to lynx-hare like population curves."""
import torch
import torch.nn as nn

from solver import FixedGrid

torch.set_num_threads(1)
torch.manual_seed(2)


class Dynamics(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.zeros_(m.bias)

    def forward(self, t, y):
        return self.net(y)


def lotka_volterra(y0, times, a=1.1, b=0.6, c=0.9, d=0.5):
    def rate(t, y):
        prey, pred = y[:, :1], y[:, 1:]
        return torch.cat([a * prey - b * prey * pred, d * prey * pred - c * pred], 1)
    return FixedGrid(rate, dt=0.02, method="midpoint")(y0, times)


def get_batch(truth, times, batch, span):
    starts = torch.randint(0, len(times) - span, (batch,))
    y0 = truth[starts, 0]
    ys = torch.stack([truth[starts + k, 0] for k in range(span)])
    return y0, times[:span], ys


def main():
    times = torch.linspace(0, 8, 81)
    with torch.no_grad():
        truth = lotka_volterra(torch.tensor([[1.5, 1.0]]), times)
    func = Dynamics()
    solve = FixedGrid(func, dt=0.05)
    opt = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    for it in range(300):
        y0, ts, ys = get_batch(truth, times, batch=10, span=5)
        pred = solve(y0, ts)
        loss = (pred - ys).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 0:
            print("Iter {:04d} | Loss {:.6f}".format(it, loss.item()))


if __name__ == "__main__":
    main()
