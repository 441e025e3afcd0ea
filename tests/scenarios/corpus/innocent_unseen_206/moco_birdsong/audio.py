import torch


def species_bank(species, bins, gen):
    axis = torch.linspace(0, 1, bins)
    tones = torch.rand(species, 3, 1, generator=gen)
    return torch.exp(-((axis - tones) / 0.05) ** 2).sum(1)


def clip_pairs(bank, n, gen):
    who = torch.randint(0, len(bank), (n,), generator=gen)
    views = []
    for _ in range(2):
        gain = 0.5 + torch.rand(n, 1, generator=gen)
        views.append(gain * bank[who] + 0.2 * torch.randn(n, bank.shape[1], generator=gen))
    return views
