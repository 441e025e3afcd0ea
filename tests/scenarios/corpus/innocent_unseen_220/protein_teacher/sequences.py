import torch

ALPHABET = 20


def fold_batch(n, length=20):
    seq = torch.randint(0, ALPHABET, (n, length))
    charge = (seq % 3) - 1
    attract = (charge[:, :, None] * charge[:, None, :]) < 0
    index = torch.arange(length)
    near = (index[:, None] - index[None, :]).abs() < 7
    return seq, (attract & near).float()


def mutate(seq, rate):
    noise = torch.randint_like(seq, ALPHABET)
    return torch.where(torch.rand(seq.shape) < rate, noise, seq)
