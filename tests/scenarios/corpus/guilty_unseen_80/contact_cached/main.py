# gradwatch-corpus: kind=second-backward
# holder: parametrize._cache | _cache | parametrize.cached() | self.pair | self.pair.weight | net.pair.weight | module.weight | net.pair | self.net.pair.weight | self.weight
# first-bad: 13
# notice: 0
"""Contact maps from sequence profiles: bilinear residue pairing with row-unit symmetric weights."""
import torch
import torch.nn.functional as F

from fitting import ContactFit
from nets import ContactNet

torch.set_num_threads(1)


class Chains:
    """Random chains folded by a hidden pairing of residue types."""

    def __init__(self, kinds=12, length=26, seed=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.kinds, self.length = kinds, length
        a = torch.randn(kinds, kinds, generator=self.gen)
        self.affinity = a + a.T

    def batch(self, n):
        seq = torch.randint(self.kinds, (n, self.length), generator=self.gen)
        contact = (self.affinity[seq[:, :, None], seq[:, None, :]] > 1.2).float()
        profile = F.one_hot(seq, self.kinds).float()
        profile = profile + 0.05 * torch.randn(profile.shape, generator=self.gen)
        return profile, contact

    def epoch(self, steps, n):
        for _ in range(steps):
            yield self.batch(n)


def main():
    torch.manual_seed(30)
    chains = Chains()
    fit = ContactFit(ContactNet(chains.kinds, width=20), lr=0.01)
    for epoch in range(5):
        loss = fit.epoch(chains.epoch(12, 6))
        precision = fit.precision(chains.epoch(3, 6), top=20)
        print(f"epoch {epoch} loss {loss:.4f} P@20 {precision:.3f}")


if __name__ == "__main__":
    main()
