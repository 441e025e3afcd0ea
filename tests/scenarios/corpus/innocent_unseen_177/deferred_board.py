# gradwatch-corpus: kind=none
"""Denoising autoencoder for seismic traces; the logger accepts records with
tensors and formats them when its buffer is flushed."""
import logging
import logging.handlers
import sys

import torch
from torch import nn

log = logging.getLogger("seis")


class Metric:
    __slots__ = ("name", "value")

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __str__(self):
        return f"{self.name}={self.value.item():.4f}"


class Sampled(logging.Handler):
    def __init__(self, every):
        super().__init__()
        self.every = every
        self.count = 0

    def emit(self, record):
        self.count += 1
        if self.count % self.every == 0:
            sys.stdout.write(self.format(record) + "\n")


class DAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 12, 5, stride=2, padding=2), nn.Softplus(),
                                 nn.Conv1d(12, 6, 5, stride=2, padding=2))
        self.dec = nn.Sequential(nn.ConvTranspose1d(6, 12, 4, stride=2, padding=1), nn.Softplus(),
                                 nn.ConvTranspose1d(12, 1, 4, stride=2, padding=1))

    def forward(self, x):
        code = self.enc(x)
        return self.dec(code), code


def traces(n, gen):
    t = torch.linspace(0, 1, 64)
    freq = 4 + 10 * torch.rand(n, 1, generator=gen)
    onset = torch.rand(n, 1, generator=gen) * 0.6
    envelope = (t > onset) * torch.exp(-5 * (t - onset).clamp(min=0))
    return (envelope * torch.sin(6.283 * freq * (t - onset))).unsqueeze(1)


def configure(buffer):
    log.setLevel(logging.INFO)
    log.propagate = False
    memory = logging.handlers.MemoryHandler(buffer, flushLevel=logging.ERROR, target=Sampled(80))
    log.addHandler(memory)
    return memory


def main():
    torch.manual_seed(15)
    gen = torch.Generator().manual_seed(16)
    model = DAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    memory = configure(buffer=40)
    for it in range(640):
        clean = traces(16, gen)
        noisy = clean + 0.2 * torch.randn(clean.shape, generator=gen)
        out, code = model(noisy)
        rec = (out - clean).pow(2).mean()
        sparse = code.abs().mean()
        total = rec + 0.01 * sparse
        opt.zero_grad()
        total.backward()
        opt.step()
        log.info("it %d %s %s", it, Metric("rec", rec), Metric("sparse", sparse))
        if out.isnan().any():
            log.error("diverged at %d", it)
            break
    memory.close()


if __name__ == "__main__":
    main()
