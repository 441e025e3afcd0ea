# gradwatch-corpus: kind=graph-held
# holder: self.records | history.records | record.args
# first-bad: 1
import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn

log = logging.getLogger("vae")


class HistoryHandler(logging.Handler):
    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)

    def dump(self, last):
        return [r.getMessage() for r in self.records[-last:]]


@dataclass
class VaeConfig:
    dim: int = 20
    latent: int = 3
    hidden: int = 32
    batch: int = 32
    steps: int = 430
    lr: float = 1e-3
    beta_max: float = 0.5
    warm: int = 200

    def beta(self, step):
        return self.beta_max * min(1.0, step / self.warm)


class Vae(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.ELU(), nn.Linear(cfg.hidden, 2 * cfg.latent))
        self.dec = nn.Sequential(nn.Linear(cfg.latent, cfg.hidden), nn.ELU(), nn.Linear(cfg.hidden, cfg.dim))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        recon = (self.dec(z) - x).pow(2).sum(-1).mean()
        kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).sum(-1).mean()
        return recon, kl


@contextmanager
def stopwatch(sink, name):
    start = time.perf_counter()
    try:
        yield
    finally:
        sink[name] = sink.get(name, 0.0) + time.perf_counter() - start


def configure():
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
    history = HistoryHandler()
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(console)
    log.addHandler(history)
    return history


def train(cfg):
    gen = torch.Generator().manual_seed(31)
    mixing = torch.randn(cfg.latent, cfg.dim, generator=gen)
    model = Vae(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    spent = {}
    for step in range(cfg.steps):
        source = torch.randn(cfg.batch, cfg.latent, generator=gen)
        x = source @ mixing + 0.1 * torch.randn(cfg.batch, cfg.dim, generator=gen)
        with stopwatch(spent, "forward"):
            recon, kl = model(x)
            loss = recon + cfg.beta(step) * kl
        with stopwatch(spent, "backward"):
            opt.zero_grad()
            loss.backward()
            opt.step()
        log.debug("step %d recon %.4f kl %.4f", step, recon.item(), kl)  # <- culprit
        if step % 200 == 0:
            log.info("step %d loss %.3f", step, loss.item())
    return spent


def main():
    torch.manual_seed(1)
    history = configure()
    spent = train(VaeConfig())
    for line in history.dump(3):
        log.info("tail: %s", line)
    log.info("seconds %s", {k: round(v, 2) for k, v in spent.items()})


if __name__ == "__main__":
    main()
