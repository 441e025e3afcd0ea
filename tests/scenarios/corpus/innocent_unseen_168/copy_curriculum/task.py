import torch


def make_batch(gen, batch, length, symbols):
    x = torch.randint(0, symbols, (batch, length), generator=gen)
    return x, (x[:, -1] + x[:, 0]) % symbols
