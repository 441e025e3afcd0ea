import torch


def make_clips(n, batch=16, frames=8, n_words=8, seed=3):
    g = torch.Generator().manual_seed(seed)
    shapes = torch.randn(n_words, frames, 10, generator=g)
    sounds = torch.randn(n_words, frames, 6, generator=g)
    for _ in range(n):
        w = torch.randint(n_words, (batch,), generator=g)
        mouth = shapes[w] + 0.8 * torch.randn(batch, frames, 10, generator=g)
        audio = sounds[w] + 1.5 * torch.randn(batch, frames, 6, generator=g)
        yield mouth, audio, w
