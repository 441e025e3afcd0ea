"""Changed in place: what autograd does not let be changed."""

from __future__ import annotations

import torch
from torch import nn

from .common import batches, net, train


def clamps_weights():
    """weight | under"""
    model = net()
    for batch in batches():
        train(model, batch)
        for weight in model.parameters():
            weight.clamp_(-1, 1)  # <-


def steps_by_hand():
    """p | under"""
    model = net()
    for batch in batches():
        model(batch).pow(2).mean().backward()
        for p in model.parameters():
            p -= 0.1 * p.grad  # <-
            p.grad = None


def decays_a_row():
    """model[0].weight | under"""
    model = net()
    for batch in batches():
        train(model, batch)
        model[0].weight[0] *= 0.5  # <-


def writes_by_out():
    """bias | under"""
    model = net()
    bias = model[0].bias
    for batch in batches():
        train(model, batch)
        torch.add(bias, 1.0, out=bias)  # <-


def writes_a_result_by_out():
    """given | replaced"""
    model, given = net(), torch.empty(16, 8)
    for batch in batches():
        torch.tanh(model[0](batch), out=given)  # <-
        given.mean().backward()


def perturbs_an_input():
    """adversarial | under"""
    model = net()
    adversarial = batches(1)[0].clone().requires_grad_()
    for _ in range(3):
        model(adversarial).sum().backward()
        adversarial += 0.01 * adversarial.grad.sign()  # <-


def gathers_in_a_leaf():
    """whole | before"""
    model = net()
    for batch in batches():
        whole = torch.zeros(16, 1, requires_grad=True)
        whole[:8] = model(batch[:8])  # <-
        whole.pow(2).mean().backward()


def gathers_what_has_a_name():
    """whole | before"""
    model = net()
    for batch in batches():
        given = model(batch)
        whole = torch.zeros(16, 1, requires_grad=True)
        whole[:8].add_(given[:8])  # <-
        whole.pow(2).mean().backward()


def gives_a_leaf_to_what_changes_it():
    """start | replaced"""
    relu, model = nn.ReLU(inplace=True), net()
    for batch in batches():
        start = batch.requires_grad_()
        given = model(relu(start))  # <-
        given.sum().backward()


def changes_one_of_several():
    """first | replaced"""
    model = net()
    for batch in batches():
        first, second = model[0](batch).chunk(2)
        first += 1  # <-
        (first * second).sum().backward()


def scales_one_of_several():
    """first | replaced"""
    model = net()
    for batch in batches():
        first, second = model[0](batch).split(8)
        first.mul_(0.5)  # <-
        (first * second).sum().backward()


def fills_one_of_several():
    """second | before"""
    model = net()
    for batch in batches():
        first, second = model[0](batch).unbind(1)[:2]
        second[:4] = 0  # <-
        (first * second).sum().backward()


def changes_a_view_made_without():
    """flat | under"""
    model = net()
    for batch in batches():
        train(model, batch)
        with torch.no_grad():
            flat = model[0].weight.view(-1)
        flat.mul_(0.5)  # <-


def changes_what_a_hook_is_to_see():
    """- | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True), nn.Linear(4, 1))
    model[0].register_full_backward_hook(lambda module, inner, outer: None)
    for batch in batches():
        model(batch).mean().backward()  # <-


def changes_each_of_several():
    """row | words"""
    model = net()
    for batch in batches():
        given = model[0](batch)
        for row in given.unbind(0):
            row += 1  # <-
        given.mean().backward()


def gives_a_row_something_new():
    """model[0].weight | under"""
    model = net()
    for batch in batches():
        hidden = model[0](batch)
        train(model, batch)
        model[0].weight[0] = hidden[0, :4]  # <-
