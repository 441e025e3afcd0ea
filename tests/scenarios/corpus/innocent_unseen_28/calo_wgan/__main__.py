# gradwatch-corpus: kind=none
# after: caogang/wgan-gp #21 (gradient penalty done right: autograd.grad with create_graph, one backward, fakes detached)
"""Fast simulation of calorimeter showers with a conditional WGAN-GP.

    python -m calo_wgan
"""
import itertools
from collections import defaultdict, deque

import torch

from .nets import Critic, ShowerGenerator
from .penalty import gradient_penalty
from .showers import shower_stream

N_CRITIC, LAMBDA, UPDATES, LATENT = 3, 10.0, 90, 16


class Smoothed:
    """Median over the last values, floats only."""

    def __init__(self, window=20):
        self.values = defaultdict(lambda: deque(maxlen=window))

    def __call__(self, **kw):
        for k, v in kw.items():
            self.values[k].append(float(v))

    def __str__(self):
        return '  '.join('%s %.3f' % (k, sorted(v)[len(v) // 2]) for k, v in self.values.items())


def main():
    torch.manual_seed(0)
    G, D = ShowerGenerator(LATENT), Critic()
    opt_g = torch.optim.Adam(G.parameters(), lr=5e-4, betas=(0.0, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=5e-4, betas=(0.0, 0.9))
    stream = shower_stream(batch=32, seed=0)
    meter = Smoothed()
    for update in range(1, UPDATES + 1):
        for real, energy in itertools.islice(stream, N_CRITIC):
            with torch.no_grad():
                fake = G(torch.randn(len(real), LATENT), energy)
            gp = gradient_penalty(D, real, fake, energy)
            wasserstein = D(real, energy).mean() - D(fake, energy).mean()
            opt_d.zero_grad()
            (LAMBDA * gp - wasserstein).backward()
            opt_d.step()
            meter(W=wasserstein.item(), GP=gp.item())

        _, energy = next(stream)
        for p in D.parameters():
            p.requires_grad_(False)
        loss_g = -D(G(torch.randn(len(energy), LATENT), energy), energy).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        for p in D.parameters():
            p.requires_grad_(True)
        meter(G=loss_g.item())
        if update % 30 == 0:
            print('update', update, meter)


main()
