# gradwatch-corpus: kind=graph-held
# holder: self.records | keeper.records
# first-bad: 1
import atexit
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("denoise")


class RecordKeeper(logging.Handler):
    """Keeps every record of the run so the tail can be dumped when the job ends."""

    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def dump(self, last=5, out=sys.stdout):
        print(f"--- {len(self.records)} records, last {last} ---", file=out)
        for rec in self.records[-last:]:
            print(f"{rec.levelname:7s} {rec.getMessage()}", file=out)


def setup_logging():
    log.setLevel(logging.DEBUG)
    log.propagate = False
    console = logging.StreamHandler(sys.stdout)
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    keeper = RecordKeeper()
    log.addHandler(console)
    log.addHandler(keeper)
    return keeper


class Denoiser(nn.Module):
    def __init__(self, dim=48, hidden=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, 16))
        self.dec = nn.Sequential(nn.Linear(16, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.dec(self.enc(x))


def waves(batch, dim, gen):
    phase = torch.rand(batch, 1, generator=gen) * 6.28
    freq = 1 + 3 * torch.rand(batch, 1, generator=gen)
    clean = torch.sin(phase + freq * torch.linspace(0, 3.14, dim))
    return clean, clean + 0.3 * torch.randn(batch, dim, generator=gen)


def train(steps=150, batch=32, dim=48):
    gen = torch.Generator().manual_seed(7)
    net = Denoiser(dim)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        clean, noisy = waves(batch, dim, gen)
        recon = net(noisy)
        mse = (recon - clean).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        mse.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        log.debug("step %d mse %s gnorm %s", step, mse, norm)  # <- culprit
        if step % 50 == 0:
            log.info("step %d mse %.4f", step, mse.item())
    return net


if __name__ == "__main__":
    torch.manual_seed(1)
    keeper = setup_logging()
    atexit.register(keeper.dump)
    train()
