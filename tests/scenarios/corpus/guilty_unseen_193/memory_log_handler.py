# gradwatch-corpus: kind=graph-held
# holder: handler.buffer | self.buffer | buffered.buffer | record.args
# first-bad: 1
import argparse
import io
import logging
import logging.handlers

import torch
from torch import nn
import torch.nn.functional as F


def setup_logging(sink, capacity):
    fmt = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    stream = logging.StreamHandler(sink)
    stream.setFormatter(fmt)
    handler = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR, target=stream)
    root = logging.getLogger("vae")
    root.setLevel(logging.DEBUG)
    root.propagate = False
    root.addHandler(handler)
    console = logging.StreamHandler()
    console.setLevel(logging.WARNING)
    console.setFormatter(fmt)
    root.addHandler(console)
    return handler


class VAE(nn.Module):
    def __init__(self, din, latent, hidden):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(din, hidden), nn.Tanh(), nn.Linear(hidden, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, din))
        self.log = logging.getLogger("vae.model")

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def kl_term(mu, logvar, free_bits):
    kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).mean(0)
    return kl.clamp(min=free_bits).sum()


def beta_at(step, warmup):
    return min(1.0, step / warmup)


def run(args):
    torch.manual_seed(args.seed)
    log = logging.getLogger("vae.train")
    basis = torch.randn(4, args.din)
    model = VAE(args.din, args.latent, args.hidden)
    optimizer = torch.optim.Adamax(model.parameters(), lr=args.lr)
    best = float("inf")
    for step in range(args.steps):
        x = torch.randn(args.batch, 4) @ basis + 0.05 * torch.randn(args.batch, args.din)
        recon, mu, logvar = model(x)
        rec = F.mse_loss(recon, x, reduction="none").sum(1).mean()
        kl = kl_term(mu, logvar, args.free_bits)
        beta = beta_at(step, args.warmup)
        loss = rec + beta * kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = loss.item()
        if value < best:
            best = value
            log.info("step %d new best %.4f", step, best)
        log.debug("step %d loss %.4f beta %.2f", step, value, beta)
        log.debug("step %d rec %.4f kl %.4f", step, rec.item(), kl)  # <- culprit
        if step % 100 == 0:
            log.warning("step %d loss %.4f", step, value)
    return best


def main():
    p = argparse.ArgumentParser()
    for name, default in dict(din=16, latent=4, hidden=48, batch=64, steps=450, warmup=150, seed=4).items():
        p.add_argument(f"--{name}", type=int, default=default)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--free-bits", type=float, default=0.02)
    args = p.parse_args()
    sink = io.StringIO()
    handler = setup_logging(sink, capacity=100_000)
    best = run(args)
    handler.flush()
    print(f"best {best:.4f}, {len(sink.getvalue().splitlines())} log lines")


if __name__ == "__main__":
    main()
