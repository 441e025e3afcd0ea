import torch


def feed(n_in, n_out, batch):
    w1, w2 = torch.randn(n_in, 16), torch.randn(16, n_out)
    while True:
        x = torch.randn(batch, n_in)
        yield x, (torch.tanh(x @ w1) @ w2).argmax(1)
