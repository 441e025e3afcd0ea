# gradwatch-corpus: kind=none
"""Vibration fault detector (autoencoder) with light-weight stats objects.

Stats have their start values on the class, so an instance with nothing in it is fresh.
"""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(14)


class Stats:
    total = 0.0
    weight = 0
    ema = None
    parts = ()

    def add(self, value, weight=1):
        self.total = self.total + value * weight
        self.weight += weight
        self.parts += (value,)
        self.ema = value if self.ema is None else torch.lerp(self.ema, value, 0.2)

    @property
    def avg(self):
        return self.total.item() / self.weight if self.weight else float("nan")

    @property
    def peak(self):
        return max((p.item() for p in self.parts), default=float("nan"))


class Logbook:
    def __init__(self, **stats):
        self.stats = stats

    def __enter__(self):
        return self.stats

    def __exit__(self, *exc):
        for s in self.stats.values():
            vars(s).clear()


class AE(nn.Module):
    def __init__(self, d=32, z=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 20), nn.ReLU(), nn.Linear(20, z))
        self.dec = nn.Sequential(nn.Linear(z, 20), nn.ReLU(), nn.Linear(20, d))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


def signal(n=32, fault=False, d=32):
    t = torch.arange(d) / d
    f = torch.randint(1, 4, (n, 1)) + (2.5 if fault else 0.0)
    return torch.sin(2 * torch.pi * (f * t + torch.rand(n, 1))) + 0.1 * torch.randn(n, d)


def evaluate(net, batches=6):
    """Detection rate at the threshold that 95 % of the healthy signals pass."""
    buffers = {"healthy": [], "faulty": []}
    for _ in range(batches):
        for name, buf in buffers.items():
            x = signal(fault=name == "faulty")
            buf.append((net(x)[0] - x).square().mean(1))
    scores = {k: torch.cat(v) for k, v in buffers.items()}
    cut = scores["healthy"].quantile(0.95)
    return (scores["faulty"] > cut).float().mean()


def main():
    net = AE()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    book = Logbook(rec=Stats(), code=Stats())
    rates = []
    for epoch in range(20):
        with book as stats:
            for it in range(20):
                x = signal()
                out, z = net(x)
                rec, code = (out - x).square().mean(), z.abs().mean()
                opt.zero_grad()
                (rec + 1e-3 * code).backward()
                opt.step()
                if it % 2:
                    stats["rec"].add(rec, len(x))
                    stats["code"].add(code, len(x))
            if epoch % 4 == 3:
                rates.append(evaluate(net))
                s = stats["rec"]
                print(f"{epoch} rec {s.avg:.4f} ema {s.ema.item():.4f} peak {s.peak:.4f} found {rates[-1]:.2f}")


if __name__ == "__main__":
    main()
