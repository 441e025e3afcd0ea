import torch

P = 11
vocab_size = P + 2


def get_batch(n):
    a, b = torch.randint(0, P, (2, n))
    c = (a + b) % P
    plus, eq = torch.full((n,), P), torch.full((n,), P + 1)
    seq = torch.stack([a, plus, b, eq, c], 1)
    x, y = seq[:, :-1], seq[:, 1:].clone()
    y[:, :3] = -1
    return x, y
