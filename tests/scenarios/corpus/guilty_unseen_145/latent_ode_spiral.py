# gradwatch-corpus: kind=second-backward
# holder: carry
# first-bad: 60
# notice: 0
import torch

torch.set_num_threads(1)
from torch import nn


class Dynamics(nn.Module):
    def __init__(self, dim, hid=20):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, hid), nn.Tanh(), nn.Linear(hid, dim))

    def forward(self, t, z):
        return self.f(z)


def rk4(func, z, ts):
    path = [z]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        h = t1 - t0
        k1 = func(t0, z)
        k2 = func(t0 + h / 2, z + h / 2 * k1)
        k3 = func(t0 + h / 2, z + h / 2 * k2)
        k4 = func(t1, z + h * k3)
        z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(z)
    return torch.stack(path)


def spiral(ts):
    r = 1 + 0.05 * ts
    return torch.stack([r * torch.cos(ts), r * torch.sin(ts)], -1)


def windows(total, length=5, dt=0.1):
    for i in range(total):
        ts = torch.arange(length + 1) * dt + i * length * dt
        yield i, ts, (spiral(ts) + 0.02 * torch.randn(length + 1, 2))


def train(warmup=60):
    torch.manual_seed(14)
    enc, dec, func = nn.Linear(2, 4), nn.Linear(4, 2), Dynamics(4)
    params = [*enc.parameters(), *dec.parameters(), *func.parameters()]
    opt = torch.optim.RMSprop(params, lr=1e-3)
    carry = None
    for i, ts, ys in windows(400):
        z0 = enc(ys[0])
        if i >= warmup:
            z0 = 0.5 * (z0 + carry)
        zs = rk4(func, z0, ts)
        loss = (dec(zs) - ys).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        carry = zs[-1]  # <- culprit
        if i % 20 == 0:
            print(i, round(loss.item(), 4))


train()
