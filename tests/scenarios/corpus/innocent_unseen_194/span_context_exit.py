# gradwatch-corpus: kind=none
import contextlib
import itertools
import time

import torch
from torch import nn

torch.manual_seed(303)

_open_spans = []


class Span:
    def __init__(self, name):
        self.name = name
        self.values = {}
        self.began = time.perf_counter()

    def add(self, **values):
        for key, value in values.items():
            self.values.setdefault(key, []).append(value)

    def __str__(self):
        parts = [self.name]
        for key, values in sorted(self.values.items()):
            parts.append(f"{key}={sum(float(v.detach()) for v in values) / len(values):.4f}")
        return " ".join(parts) + f" ({1e3 * (time.perf_counter() - self.began):.0f} ms)"


@contextlib.contextmanager
def span(name, sink):
    _open_spans.append(Span(name))
    try:
        yield _open_spans[-1]
    finally:
        sink(str(_open_spans.pop()))


def annotate(**values):
    for s in _open_spans:
        s.add(**values)


class VAE(nn.Module):
    def __init__(self, size=30, code=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(size, 40), nn.ReLU(), nn.Linear(40, 2 * code))
        self.dec = nn.Sequential(nn.Linear(code, 40), nn.ReLU(), nn.Linear(40, size))

    def forward(self, x):
        mean, log_var = self.enc(x).chunk(2, -1)
        code = mean + (0.5 * log_var).exp() * torch.randn_like(mean)
        recon = (self.dec(code) - x).pow(2).sum(-1).mean()
        kl = 0.5 * (mean.pow(2) + log_var.exp() - 1 - log_var).sum(-1).mean()
        annotate(recon=recon, kl=kl)
        return recon, kl


def cracks(batch=32, size=30):
    axis = torch.linspace(0, 1, size)
    while True:
        at, width, depth = torch.rand(3, batch, 1)
        yield depth * torch.exp(-((axis - at) / (0.05 + 0.1 * width)) ** 2)


def main():
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    stream = cracks()
    lines = []
    for section in range(12):
        beta = min(0.05, 0.005 * section)
        with span(f"section {section:2d}", lines.append):
            for panel in range(4):
                with span(f"section {section:2d}.{panel}", lines.append):
                    for x in itertools.islice(stream, 11):
                        recon, kl = model(x)
                        opt.zero_grad()
                        (recon + beta * kl).backward()
                        opt.step()
        print(lines[-1])


if __name__ == "__main__":
    main()
