"""Ways of getting several losses through a single trunk."""
import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.Tanh())

    def forward(self, x):
        return self.layers(x)


def one_by_one(trunk, objectives, x, answers):
    """Every objective walks the trunk; the last one lets it go."""
    feats = trunk(x)
    values = {}
    names = list(objectives)
    for name in names:
        loss = objectives[name](feats, answers[name])
        loss.backward(retain_graph=name != names[-1])
        values[name] = loss.item()
    return values


def via_leaf(trunk, objectives, x, answers):
    """The objectives stop at a leaf, and the trunk is walked once with what they left there."""
    feats = trunk(x)
    leaf = feats.detach().requires_grad_()
    values = {}
    for name, objective in objectives.items():
        loss = objective(leaf, answers[name])
        loss.backward()
        values[name] = loss.item()
    feats.backward(leaf.grad)
    return values


def summed(trunk, objectives, x, answers):
    feats = trunk(x)
    losses = {name: objective(feats, answers[name]) for name, objective in objectives.items()}
    torch.stack(list(losses.values())).sum().backward()
    return {name: loss.item() for name, loss in losses.items()}


STRATEGIES = {"one_by_one": one_by_one, "via_leaf": via_leaf, "summed": summed}
