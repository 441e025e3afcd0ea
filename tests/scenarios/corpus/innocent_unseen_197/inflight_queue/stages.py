import torch
from torch import nn
import torch.nn.functional as F


class FrontStage(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())

    def forward(self, x):
        return self.net(x)


class BackStage(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, z, y):
        return F.cross_entropy(self.head(self.norm(z)), y)


def send(activation):
    return activation.detach().requires_grad_()


def receive(activation, boundary):
    torch.autograd.backward(activation, grad_tensors=boundary.grad)
