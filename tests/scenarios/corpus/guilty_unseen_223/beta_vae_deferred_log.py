# gradwatch-corpus: kind=graph-held
# holder: self.pending | log.pending
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F


class LazyLog:
    """Formatting is put off until flush() so that the training loop isn't slowed down."""

    def __init__(self, stream=print):
        self.pending = []
        self.stream = stream

    def add(self, make_line):
        self.pending.append(make_line)  # <- culprit

    def flush(self, last=5):
        lines = [make() for make in self.pending]
        for line in lines[-last:]:
            self.stream(line)
        self.pending.clear()


class BetaVAE(nn.Module):
    def __init__(self, n_in=100, n_z=6):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Linear(n_in, 80),
            nn.ELU(),
        )
        self.mu = nn.Linear(80, n_z)
        self.logvar = nn.Linear(80, n_z)
        self.dec = nn.Sequential(
            nn.Linear(n_z, 80),
            nn.ELU(),
            nn.Linear(80, n_in),
        )

    def forward(self, x):
        h = self.enc(x)
        mu = self.mu(h)
        logvar = self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def blobs(n, size=10):
    grid = torch.arange(size).float()
    cx = torch.rand(n, 1) * size
    cy = torch.rand(n, 1) * size
    gx = torch.exp(-((grid - cx) ** 2) / 4)
    gy = torch.exp(-((grid - cy) ** 2) / 4)
    return (gx[:, :, None] * gy[:, None, :]).flatten(1)


def elbo(x, out, mu, logvar, beta):
    bce = F.binary_cross_entropy_with_logits(out, x, reduction="sum") / len(x)
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return bce + beta * kld, bce, kld


def fit(net, log, iters):
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for i in range(iters):
        beta = min(4.0, 0.05 * i)
        x = blobs(32)
        out, mu, logvar = net(x)
        loss, bce, kld = elbo(x, out, mu, logvar, beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.add(lambda i=i, b=bce, k=kld: f"[{i}] bce={b.item():.2f} kld={k.item():.2f}")  # <- culprit


def main():
    torch.manual_seed(7)
    log = LazyLog()
    net = BetaVAE()
    fit(net, log, 140)
    log.flush()


main()
