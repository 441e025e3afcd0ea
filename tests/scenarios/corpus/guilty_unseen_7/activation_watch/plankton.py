import torch

KINDS = 5
_yy, _xx = torch.meshgrid(torch.linspace(-1, 1, 40), torch.linspace(-1, 1, 40), indexing="ij")
_r, _phi = (_xx ** 2 + _yy ** 2).sqrt(), torch.atan2(_yy, _xx)


def patches(n):
    kind = torch.randint(0, KINDS, (n,))
    arms = (kind + 2).float().view(-1, 1, 1)
    turn = torch.rand(n, 1, 1) * 6.28
    edge = 0.45 + 0.2 * torch.cos(arms * _phi + turn)
    body = torch.sigmoid((edge - _r) * 14)
    return (body + 0.15 * torch.randn(n, 40, 40)).unsqueeze(1), kind
