"""Rescale linear layers so that their largest singular value stays below a bound."""
import torch
from torch import nn
import torch.nn.functional as F


def largest_singular_value(weight, u, rounds):
    with torch.no_grad():
        for _ in range(rounds):
            v = F.normalize(weight.t() @ u, dim=0)
            u.copy_(F.normalize(weight @ v, dim=0))
    return u @ weight @ v


def bounding_hook(layer, bound, every, rounds=3):
    raw = layer.weight
    del layer._parameters["weight"]
    layer.register_parameter("raw_weight", nn.Parameter(raw.detach().clone()))
    state = {"calls": 0, "weight": None, "u": F.normalize(torch.randn(raw.shape[0]), dim=0)}

    def before(module, inputs):
        # power iteration is the dear part: every few calls are enough
        if state["calls"] % every == 0:  # <- culprit
            sigma = largest_singular_value(module.raw_weight, state["u"], rounds)
            state["weight"] = module.raw_weight / torch.clamp(sigma / bound, min=1.0)  # <- culprit
        state["calls"] += 1
        module.weight = state["weight"]  # <- culprit

    return before


def bound_layers(model, bound, every=4):
    for module in list(model.modules()):
        if isinstance(module, nn.Linear):
            module.register_forward_pre_hook(bounding_hook(module, bound, every))
    return model
