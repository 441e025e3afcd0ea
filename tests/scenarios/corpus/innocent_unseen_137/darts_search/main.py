# gradwatch-corpus: kind=none
"""Differentiable search over activations for a soil-moisture regressor, with a curvature penalty."""
import torch

torch.set_num_threads(1)

from cell import MixedNet
from search import Searcher

torch.manual_seed(88)
w = torch.randn(6)


def soil(n):
    x = torch.randn(n, 6)
    return x, torch.sin(x @ w) + 0.1 * torch.randn(n)


search = Searcher(MixedNet(6, 12))
for it in range(420):
    v = search.weights_turn(*soil(20))
    if it % 2:
        search.choice_turn(*soil(20))
    if it % 70 == 0:
        print(it, f"{v:.4f}", search.net.shares())
