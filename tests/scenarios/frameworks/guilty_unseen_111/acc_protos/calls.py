import torch
from torch.utils.data import Dataset


def synth_call(species, n, gen, frames=30):
    t = torch.linspace(0, 1, frames)
    f0 = 2.0 + 1.5 * species[:, None] + 0.2 * torch.randn(n, 1, generator=gen)
    trill = torch.sin(2 * torch.pi * (6 + species[:, None]) * t)
    phase = torch.rand(n, 1, generator=gen) * 6.28
    return torch.sin(2 * torch.pi * f0 * t + phase) * (1 + 0.4 * trill) + 0.3 * torch.randn(n, frames, generator=gen)


class CallDataset(Dataset):
    def __init__(self, n, n_species, seed=8):
        gen = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, n_species, (n,), generator=gen)
        self.x = synth_call(self.y, n, gen)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def support_set(n_species, shots, seed=99):
    gen = torch.Generator().manual_seed(seed)
    y = torch.arange(n_species).repeat_interleave(shots)
    return synth_call(y, len(y), gen), y
