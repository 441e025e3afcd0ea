# gradwatch-corpus: kind=graph-chain
# holder: state
# first-bad: 1
# notice: 5
"""Identify the drift model of a vineyard sprayer from its one-second-ahead error."""
import torch

from .plant import droplets, start_params
from .recordings import Passes

torch.set_num_threads(1)
torch.manual_seed(19)


def descend(params, rate):
    for name, p in params.items():
        step = (rate * p.grad).clamp(-0.02, 0.02)
        params[name] = (p - step).detach().requires_grad_()


def main(seconds=75):
    passes = Passes(seconds)
    params = start_params(width=10)
    errors = []
    for sec, (forecast, measured) in enumerate(droplets(params, passes)):
        miss = (forecast - measured).pow(2).mean()
        miss.backward(retain_graph=True)
        descend(params, rate=0.1)
        errors.append(miss.item())
        if sec % 15 == 14:
            print(f"{sec + 1:3d} s  mean error of the last 15 s: {sum(errors[-15:]) / 15:.4f}")


main()
