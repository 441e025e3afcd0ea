import torch

MASK = 20


def sequences(n, length, gen):
    start = torch.randint(0, 20, (n, 1), generator=gen)
    stride = torch.randint(1, 4, (n, 1), generator=gen)
    seq = (start + stride * torch.arange(length)) % 20
    flip = torch.rand(n, length, generator=gen) < 0.05
    return torch.where(flip, torch.randint(0, 20, (n, length), generator=gen), seq)


def mask_tokens(tokens, rate, gen):
    masked = torch.rand(tokens.shape, generator=gen) < rate
    return torch.where(masked, torch.full_like(tokens, MASK), tokens), masked.float()
