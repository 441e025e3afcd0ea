import torch


class Bench:
    banks = ("mox-a", "mox-b", "qcm")
    channels = 8

    def __init__(self, n_odours, seed):
        self.n_odours = n_odours
        self.gen = torch.Generator().manual_seed(seed)
        self.finger = {b: torch.randn(n_odours, self.channels, generator=self.gen) for b in self.banks}
        self.offset = {b: torch.zeros(self.channels) for b in self.banks}

    def sniff(self, batch):
        odour = torch.randint(self.n_odours, (batch,), generator=self.gen)
        strength = 0.5 + torch.rand(batch, 1, generator=self.gen)
        out = {}
        for b in self.banks:
            self.offset[b] = self.offset[b] + 0.01 * torch.randn(self.channels, generator=self.gen)
            noise = 0.2 * torch.randn(batch, self.channels, generator=self.gen)
            out[b] = strength * self.finger[b][odour] + self.offset[b] + noise
        return out, odour
