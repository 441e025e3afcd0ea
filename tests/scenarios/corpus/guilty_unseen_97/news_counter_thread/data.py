import torch


def headlines(steps, batch=20, length=9, vocab=300, topics=6):
    gen = torch.Generator().manual_seed(30)
    span = vocab // topics
    for _ in range(steps):
        topic = torch.randint(0, topics, (batch,), generator=gen)
        own = topic[:, None] * span + torch.randint(0, span, (batch, length), generator=gen)
        noise = torch.randint(0, vocab, (batch, length), generator=gen)
        keep = torch.rand(batch, length, generator=gen) < 0.5
        yield torch.where(keep, own, noise), topic
