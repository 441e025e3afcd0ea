import torch

CLASSES = ("sound", "pore", "crack", "undercut")


def patch(kind, n):
    x = 0.25 * torch.randn(n, 16, 16)
    x[:, 6:10, :] += 1.0                                  # the bead
    if kind == 1:
        cx = torch.randint(2, 13, (n,))
        for k in range(n):
            x[k, 7:9, cx[k]:cx[k] + 2] -= 1.5
    elif kind == 2:
        for k in range(n):
            c = int(torch.randint(3, 13, ()))
            x[k, 5:11, c] -= 1.2
    elif kind == 3:
        x[:, 10:12, :] -= 0.8
    return x.unsqueeze(1)


def make(n):
    xs, ys = [], []
    for kind in range(len(CLASSES)):
        xs.append(patch(kind, n // len(CLASSES)))
        ys.append(torch.full((n // len(CLASSES),), kind))
    return torch.cat(xs), torch.cat(ys)


def make_split(n_train, n_valid):
    return make(n_train), make(n_valid)


def batches(pair, size):
    x, y = pair
    for idx in torch.randperm(len(x)).split(size):
        yield x[idx], y[idx]
