import torch


def castings(steps, batch, size=16):
    """Grey plates, half of them with a bright scratch."""
    for _ in range(steps):
        x = 0.2 * torch.randn(batch, 1, size, size)
        y = torch.randint(0, 2, (batch,))
        for i in y.nonzero().flatten().tolist():
            row = int(torch.randint(1, size - 1, (1,)))
            x[i, 0, row, 2:-2] += 0.9
        yield x, y
