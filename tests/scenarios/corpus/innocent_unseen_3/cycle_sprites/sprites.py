import torch

RES = 16
_y, _x = torch.meshgrid(torch.linspace(-1, 1, RES), torch.linspace(-1, 1, RES), indexing="ij")


def _blobs(n):
    c = torch.rand(n, 2, 1, 1) - .5
    r = .15 + .3 * torch.rand(n, 1, 1)
    return torch.sigmoid(12 * (r - ((_x - c[:, 0]) ** 2 + (_y - c[:, 1]) ** 2).sqrt()))


def warm(n):
    m = _blobs(n)
    return torch.stack([m, .5 * m, -m], 1) * 1.6 - .6 * (1 - m[:, None])


def cold(n):
    m = 1 - _blobs(n)
    return torch.stack([-m, .3 * m, m], 1)
