import torch


def noisy_stream(chunks, frames, bins, batch=4):
    colour = torch.rand(batch, 1, bins)
    for _ in range(chunks):
        clean = torch.rand(batch, frames, bins) ** 4
        yield clean + colour * torch.rand(batch, frames, bins), clean
