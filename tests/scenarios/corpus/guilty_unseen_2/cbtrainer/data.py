import torch


def blobs(batches, bs, n_cls=5, size=12):
    for _ in range(batches):
        y = torch.randint(0, n_cls, (bs,))
        x = torch.randn(bs, 1, size, size) * 0.5
        for i, c in enumerate(y.tolist()):
            x[i, 0, c * 2:c * 2 + 2] += 1.5
        yield x, y
