import torch


def applicants(n_batches, size):
    for _ in range(n_batches):
        group = torch.randint(0, 3, (size,))
        x = torch.randn(size, 9)
        x[:, 0] += 0.4 * group
        y = (x[:, 0] + x[:, 1] > 0.3).float()
        yield x, y, group
