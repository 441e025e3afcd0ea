import torch


class CallPool:
    def __init__(self, species, bins):
        self.spectra = torch.rand(species, bins).pow(4)

    def views(self, n):
        who = torch.randint(0, len(self.spectra), (n,))
        return [self._distort(self.spectra[who]) for _ in range(2)]

    def _distort(self, s):
        gain = 0.7 + 0.6 * torch.rand(len(s), 1)
        mask = (torch.rand_like(s) > 0.15).float()
        return gain * s * mask + 0.02 * torch.randn_like(s)
