import torch
import torch.nn as nn


def generator():
    return nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))


def critic():
    return nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))


def penalty(D, real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_()
    slope, = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()
