"""A gradient that is not there."""

from __future__ import annotations

import torch
from torch import nn

from .common import batches, net, train


def zeroes_ahead_of_the_first():
    """p | replaced"""
    model = net()
    for batch in batches():
        for p in model.parameters():
            p.grad.zero_()  # <-
        train(model, batch)


def steps_what_has_none():
    """p | replaced"""
    model = net()
    model.unused = nn.Linear(2, 2)
    model.forward = lambda batch: model[2](model[1](model[0](batch)))
    for batch in batches():
        model(batch).mean().backward()
        for p in model.parameters():
            p.data -= 0.1 * p.grad  # <-


def sums_over_all():
    """p | replaced"""
    model, spare = net(), nn.Parameter(torch.ones(3))
    for batch in batches():
        train(model, batch)
        norm = sum(p.grad.norm() for p in [*model.parameters(), spare])  # <-
        assert norm > 0


def asks_a_result_for_its_own():
    """hidden | words"""
    model = net()
    for batch in batches():
        hidden = model[0](batch)
        model[2](torch.tanh(hidden)).mean().backward()
        assert hidden.grad.norm() > 0  # <-


def descends_in_a_list():
    """w | replaced"""
    ws = [torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)]
    for batch in batches():
        sum((batch.mean() * w).square().sum() for w in ws).backward()
        ws = [w - 0.1 * w.grad for w in ws]  # <-


def descends_in_a_dict():
    """weight | replaced"""
    weights = {"a": torch.ones(3, requires_grad=True), "b": torch.ones(3, requires_grad=True)}
    for batch in batches():
        sum((batch.mean() * w).square().sum() for w in weights.values()).backward()
        for key, weight in weights.items():
            weights[key] = weight - 0.1 * weight.grad  # <-


class Held:
    def __init__(self):
        self.scale, self.shift = torch.ones(3, requires_grad=True), torch.ones(1).requires_grad_()


def descends_by_names():
    """value | replaced"""
    held = Held()
    for batch in batches():
        (batch.mean() * held.scale + held.shift).square().sum().backward()
        for name in ("scale", "shift"):
            value = getattr(held, name)
            setattr(held, name, value - 0.1 * value.grad)  # <-


def hooks_what_has_none():
    """batch | before"""
    model = net()
    for batch in batches():
        batch.register_hook(lambda gradient: gradient)  # <-
        train(model, batch)


def differentiates_by_what_has_no_part():
    """scale | replaced"""
    model, scale = net(), torch.ones(3, requires_grad=True)
    for batch in batches():
        loss = model(batch).mean()
        torch.autograd.grad(loss, [model[0].weight, scale])  # <-


def differentiates_by_what_has_no_part_in_a_list():
    """- | replaced"""
    model, scale = net(), torch.ones(3, requires_grad=True)
    weights = [scale, *model.parameters()]
    for batch in batches():
        loss = model(batch).mean()
        torch.autograd.grad(outputs=loss, inputs=weights)  # <-


def goes_back_from_many():
    """loss | replaced"""
    model, criterion = net(), nn.MSELoss(reduction="none")
    for batch in batches():
        loss = criterion(model(batch), batch[:, :1])
        loss.backward()  # <-


def differentiates_many():
    """given | replaced"""
    model = net()
    for batch in batches():
        batch.requires_grad_()
        given = model(batch)
        torch.autograd.grad(given, batch, create_graph=True)[0].pow(2).mean().backward()  # <-


def weighs_by_another_shape():
    """given | replaced"""
    model = net()
    for batch in batches():
        given = model(batch)
        given.backward(torch.tensor([1.0]))  # <-


def weighs_by_another_shape_by_name():
    """given | replaced"""
    model = net()
    for batch in batches():
        batch.requires_grad_()
        given = model(batch)
        torch.autograd.grad(given, batch, grad_outputs=torch.ones(16))  # <-


def steps_into_another_tensor():
    """w | replaced"""
    x, w = torch.randn(8, 4), torch.zeros(4, 1, requires_grad=True)
    for _ in range(3):
        (x @ w - 1).pow(2).mean().backward()
        w = w - 0.1 * w.grad  # <-


def flattens_what_some_have_no_part_in():
    """- | replaced"""
    model, spare = net(), nn.Parameter(torch.ones(3))
    weights = [*model.parameters(), spare]
    for batch in batches():
        loss = model(batch).mean()
        torch.cat([each.flatten() for each in torch.autograd.grad(loss, weights)])  # <-
