import math

import torch


def init_params(h=24):
    def w(o, i):
        return (torch.randn(o, i) / math.sqrt(i)).requires_grad_()

    def b(o):
        return torch.zeros(o).requires_grad_()

    return [w(h, 1), b(h), w(h, h), b(h), w(1, h), b(1)]


def forward(p, x):
    h = torch.tanh(x @ p[0].T + p[1])
    h = torch.tanh(h @ p[2].T + p[3])
    return h @ p[4].T + p[5]
