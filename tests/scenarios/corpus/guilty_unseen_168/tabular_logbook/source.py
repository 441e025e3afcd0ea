import torch


def clicks(steps, batch, fields=12, vocab=60):
    gen = torch.Generator().manual_seed(6)
    weight = torch.randn(fields, vocab, generator=gen)
    for _ in range(steps):
        codes = torch.randint(0, vocab, (batch, fields), generator=gen)
        score = weight[torch.arange(fields), codes].sum(1)
        noise = torch.randn(batch, generator=gen)
        yield codes, (score + noise > 0).float()
