# gradwatch-corpus: kind=none
"""Neural surrogate of Burgers' equation; layers are probed every so often through hooks."""
import torch
from torch import nn


class Probe:
    def __init__(self, module, frames, layers):
        self.module, self.frames, self.layers = module, frames, layers

    def __enter__(self):
        self.handles = [
            m.register_forward_hook(self._tap(name))
            for name, m in self.module.named_modules() if name in self.layers
        ]
        return self

    def _tap(self, name):
        def tap(_, __, out):
            self.frames.append((name, out))
        return tap

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()
        self.handles.clear()
        if len(self.frames) >= 72:
            self.frames[:-24] = []


class Surrogate(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        conv = lambda i, o: nn.Conv1d(i, o, 5, padding=2, padding_mode="circular")
        self.lift, self.mid, self.drop = conv(1, width), conv(width, width), conv(width, 1)

    def forward(self, u):
        h = torch.tanh(self.lift(u[:, None]))
        h = h + torch.tanh(self.mid(h))
        return u + 0.1 * self.drop(h).squeeze(1)


def burgers(u, dt=0.02, nu=0.05, substeps=5):
    dx = 2 * torch.pi / u.shape[-1]
    for _ in range(substeps):
        ux = (u.roll(-1, -1) - u.roll(1, -1)) / (2 * dx)
        uxx = (u.roll(-1, -1) - 2 * u + u.roll(1, -1)) / dx ** 2
        u = u + dt * (nu * uxx - u * ux)
    return u


def initial(gen, n, points=32):
    x = torch.arange(points) * (2 * torch.pi / points)
    a, p = torch.rand(2, n, 3, 1, generator=gen)
    k = torch.arange(1, 4).view(1, 3, 1)
    return (a / k * torch.sin(k * x + 6.28 * p)).sum(1)


def spread(frames, name):
    tail = [o.detach().std() for n, o in frames[-18:] if n == name]
    return torch.stack(tail).mean().item()


def main(steps=420):
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(51)
    net = Surrogate()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    frames = []
    for step in range(steps):
        u0 = initial(gen, 12)
        u1 = burgers(u0)
        u2 = burgers(u1)
        with Probe(net, frames, {"lift", "mid"}):
            one = net(u0)
        two = net(one)
        loss = (one - u1).pow(2).mean() + 0.5 * (two - u2).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 70 == 0:
            print(f"step {step} loss {loss.item():.6f} lift {spread(frames, 'lift'):.3f} mid {spread(frames, 'mid'):.3f}")


if __name__ == "__main__":
    main()
