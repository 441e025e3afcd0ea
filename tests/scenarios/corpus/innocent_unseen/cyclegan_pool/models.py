import torch
from torch import nn


def define_G():
    return nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.InstanceNorm2d(8), nn.ReLU(True), nn.Conv2d(8, 1, 3, padding=1), nn.Tanh())


def define_D():
    return nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Conv2d(8, 1, 3))


def set_requires_grad(nets, flag):
    for net in nets:
        for p in net.parameters():
            p.requires_grad = flag


class GANLoss(nn.Module):
    def forward(self, pred, real):
        return nn.functional.mse_loss(pred, torch.full_like(pred, 1.0 if real else 0.0))
