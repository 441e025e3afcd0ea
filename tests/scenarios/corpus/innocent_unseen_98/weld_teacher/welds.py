import torch


def _line(n, length=32):
    pos = torch.randint(6, length - 6, (n, 1))
    grid = torch.arange(length).expand(n, -1)
    mask = ((grid - pos).abs() <= 3).float()
    signal = mask * 0.8 + 0.3 * torch.randn(n, length)
    return signal.unsqueeze(1), mask


def labelled(n):
    return _line(n)


def unlabelled(n):
    return _line(n)[0]
