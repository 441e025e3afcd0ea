import torch


def utterances(n, batch=8):
    g = torch.Generator().manual_seed(2)
    templates = torch.randn(4, 10, 16, generator=g)
    for _ in range(n):
        word = torch.randint(0, 4, (batch,), generator=g)
        yield templates[word] + 0.5 * torch.randn(batch, 10, 16, generator=g), word
