import torch


def waveforms(n, batch=12, length=256, bins=16):
    g = torch.Generator().manual_seed(2)
    for _ in range(n):
        x = 0.2 * torch.randn(batch, 3, length, generator=g)
        onset = torch.randint(0, bins, (batch,), generator=g)
        for b in range(batch):
            at = int(onset[b]) * (length // bins)
            x[b, :, at:at + 16] += torch.hann_window(16)
        yield x, onset
