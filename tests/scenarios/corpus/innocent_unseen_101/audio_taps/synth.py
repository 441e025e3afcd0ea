import torch


def chords(n_mel, n_chords, seed, batch=6, frames=14):
    g = torch.Generator().manual_seed(seed)
    spectra = torch.rand(n_chords, n_mel, generator=g).pow(2)
    while True:
        y = torch.randint(0, n_chords, (batch, frames // 7), generator=g).repeat_interleave(7, dim=1)
        x = spectra[y] + 0.25 * torch.randn(batch, frames, n_mel, generator=g)
        yield x.transpose(1, 2), y
