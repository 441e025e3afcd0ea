import torch


def utterances(batch, frames, frame, seed):
    """Endless pieces of `batch` parallel speakers; `fresh` marks the rows where a new utterance begins."""
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(frame) / frame
    pitch = 1 + 3 * torch.rand(batch, generator=g)
    while True:
        fresh = torch.rand(batch, generator=g) < 0.2
        pitch = torch.where(fresh, 1 + 3 * torch.rand(batch, generator=g), pitch)
        glide = (0.1 * torch.randn(batch, frames, generator=g)).cumsum(1)
        f = (pitch[:, None] + glide)[..., None]
        yield torch.sin(6.28 * f * t) + 0.1 * torch.randn(batch, frames, frame, generator=g), fresh
