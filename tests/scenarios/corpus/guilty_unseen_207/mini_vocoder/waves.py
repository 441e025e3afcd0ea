import torch


def harmonic_batches(batch, frames, hop, seed=23):
    gen = torch.Generator().manual_seed(seed)
    t = torch.arange(frames * hop) / hop
    while True:
        f0 = 0.5 + torch.rand(batch, 1, generator=gen)
        amps = torch.rand(batch, 3, generator=gen)
        wave = sum(amps[:, k : k + 1] * torch.sin(6.283 * (k + 1) * f0 * t) for k in range(3))
        mel = torch.cat([f0, amps], dim=1).unsqueeze(-1).expand(-1, -1, frames)
        yield mel + 0.01 * torch.randn(mel.shape, generator=gen), wave.unsqueeze(1)
