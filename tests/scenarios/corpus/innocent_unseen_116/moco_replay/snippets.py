import torch


class Snippets:
    def __init__(self, bins, batch, seed, species=9):
        self.gen = torch.Generator().manual_seed(seed)
        self.songs = torch.randn(species, bins, generator=self.gen)
        self.batch = batch

    def _noisy(self, x):
        return x + 0.4 * torch.randn(x.shape, generator=self.gen)

    def __iter__(self):
        while True:
            who = torch.randint(0, len(self.songs), (self.batch,), generator=self.gen)
            clean = self.songs[who]
            yield self._noisy(clean), self._noisy(clean)
