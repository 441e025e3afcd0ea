import torch


class MotifSource:
    """Sequences of letters with one of a few planted motifs; a view is a shift with substitutions."""

    def __init__(self, alphabet=8, length=24, motifs=3000, seed=0):
        self.alphabet, self.length = alphabet, length
        self.g = torch.Generator().manual_seed(seed)
        self.motifs = torch.randint(alphabet, (motifs, length), generator=self.g)

    def corrupt(self, x):
        noise = torch.randint(self.alphabet, x.shape, generator=self.g)
        mask = torch.rand(x.shape, generator=self.g) < 0.2
        return torch.where(mask, noise, x)

    def two_views(self, n):
        base = self.motifs[torch.randint(len(self.motifs), (n,), generator=self.g)]
        base = self.corrupt(base)
        shift = int(torch.randint(-1, 2, (), generator=self.g))
        return self.corrupt(base), self.corrupt(base.roll(shift, dims=1))
