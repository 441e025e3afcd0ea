# gradwatch-corpus: kind=graph-held
# holder: self.records | memory.records
# first-bad: 1
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("gan")


class RecordKeeper(logging.Handler):
    """Keeps the debug records so that a crash report can print them."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def tail(self, n=3):
        return [r.getMessage() for r in self.records[-n:]]


def setup_logging():
    log.setLevel(logging.DEBUG)
    log.propagate = False
    console = logging.StreamHandler(sys.stdout)
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    memory = RecordKeeper()
    log.addHandler(console)
    log.addHandler(memory)
    return memory


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


def ring(n, gen, modes=6):
    angle = torch.randint(0, modes, (n,), generator=gen) * (2 * torch.pi / modes)
    centre = torch.stack([angle.cos(), angle.sin()], 1)
    return centre + 0.05 * torch.randn(n, 2, generator=gen)


def main(iters=500, batch=32, z_dim=6):
    memory = setup_logging()
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(8)
    G, D = mlp(z_dim, 32, 32, 2), mlp(2, 32, 32, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))
    bce = nn.BCEWithLogitsLoss()
    ones, zeros = torch.ones(batch, 1), torch.zeros(batch, 1)
    for it in range(iters):
        real = ring(batch, gen)
        fake = G(torch.randn(batch, z_dim, generator=gen))

        d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        g_loss = bce(D(fake), ones)
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()

        log.debug("iter %d d %.4f g %.4f", it, d_loss, g_loss)  # <- culprit
        if it % 125 == 0:
            log.info("iter %d d %.4f g %.4f", it, d_loss.item(), g_loss.item())
            log.info("tail: %s", "; ".join(memory.tail()))


if __name__ == "__main__":
    main()
