import torch


def bags(n, gen, length=6, vocab=60, classes=3):
    """Bags of tag ids; each class prefers one third of the vocabulary."""
    y = torch.randint(0, classes, (n,), generator=gen)
    span = vocab // classes
    own = torch.randint(0, span, (n, length), generator=gen) + span * y[:, None]
    anyone = torch.randint(0, vocab, (n, length), generator=gen)
    keep = torch.rand(n, length, generator=gen) < 0.5
    return torch.where(keep, own, anyone), y
