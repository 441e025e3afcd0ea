"""What was made wrongly before."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from .common import batches, net, train


def goes_back_from_a_number():
    """loss | replaced"""
    model = net()
    for batch in batches():
        loss = model(batch).pow(2).mean().item()  # <-
        loss.backward()


def goes_back_from_a_mean_of_numbers():
    """losses | words"""
    model, losses = net(), []
    for batch in batches():
        losses.append(model(batch).pow(2).mean().item())  # <-
        loss = np.mean(losses)
        loss.backward()


def goes_back_from_nothing():
    """total | replaced"""
    model = net()
    for batch in batches():
        total = 0
        for part in batch.split(8):
            if part.mean() > 100:
                total = total + model(part).mean()
        total.backward()  # <-


def goes_back_from_two():
    """losses | replaced"""
    model = net()
    for batch in batches():
        losses = (model(batch).mean(), batch.mean())
        losses.backward()  # <-


def puts_a_tensor_for_a_parameter():
    """layer.weight | replaced"""
    model = net()
    layer = model[0]
    for batch in batches():
        train(model, batch)
        layer.weight = layer.weight * 0.9  # <-


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 4) for _ in range(2)]


def optimizes_a_plain_list():
    """stacked.layers | words"""
    stacked = Stacked()
    torch.optim.SGD(stacked.parameters(), lr=0.1)  # <-


def optimizes_a_result():
    """noise | before"""
    noise = torch.randn(4, requires_grad=True) * 0.1
    optimizer = torch.optim.Adam([{"params": [noise]}], lr=0.1)  # <-
    noise.sum().backward()
    optimizer.step()


class Scaled(Function):
    @staticmethod
    def forward(ctx, tensor, factor):
        ctx.factor = factor
        return tensor * factor

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor  # <- gives_one_of_two


def gives_one_of_two():
    """- | words"""
    model = net()
    for batch in batches():
        Scaled.apply(model(batch), 2.0).mean().backward()


class Shifted(Function):
    @staticmethod
    def forward(ctx, tensor, shift):
        return tensor + shift

    @staticmethod
    def backward(ctx, gradient):
        return gradient, gradient[:, :3]  # <- gives_another_shape


def gives_another_shape():
    """- | words"""
    model, shift = net(), torch.zeros(8, requires_grad=True)
    for batch in batches():
        Shifted.apply(model[0](batch), shift).mean().backward()


def learns_whole_numbers():
    """- | replaced"""
    model = net()
    offset = torch.tensor([1, 2, 3, 4], requires_grad=True)  # <-
    for batch in batches():
        model(batch + offset).mean().backward()


def learns_a_whole_parameter():
    """- | replaced"""
    model = net()
    offset = nn.Parameter(torch.arange(4))  # <-
    for batch in batches():
        model(batch + offset).mean().backward()


def asks_whole_numbers_for_a_gradient():
    """- | replaced"""
    model, offset = net(), torch.arange(4)
    offset.requires_grad_()  # <-
    for batch in batches():
        model(batch + offset).mean().backward()


def flags_whole_numbers():
    """- | replaced"""
    model, offset = net(), torch.arange(4)
    offset.requires_grad = True  # <-
    for batch in batches():
        model(batch + offset).mean().backward()


class Squared(Function):
    @staticmethod
    def forward(ctx, tensor):
        ctx.save_for_backward(tensor)
        return tensor * tensor

    @staticmethod
    @once_differentiable  # <- differentiates_what_is_declared_not_to_be
    def backward(ctx, gradient):
        (tensor,) = ctx.saved_tensors
        return 2 * gradient * tensor


def differentiates_what_is_declared_not_to_be():
    """- | words"""
    model = net()
    for batch in batches():
        batch.requires_grad_()
        given = model[2](Squared.apply(model[0](batch))).sum()
        (slope,) = torch.autograd.grad(given, batch, create_graph=True)
        slope.pow(2).mean().backward()
