from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch.func import grad_and_value


class Hyper(NamedTuple):
    log_ridge: torch.Tensor
    log_step: torch.Tensor


class InnerState(NamedTuple):
    params: dict
    momentum: dict

    def detached(self):
        params = {k: v.detach() for k, v in self.params.items()}
        momentum = {k: v.detach() for k, v in self.momentum.items()}
        return InnerState(params, momentum)


def predict(params, x):
    h = torch.tanh(x @ params["w"] + params["b"])
    return (h @ params["v"]).squeeze(1)


def inner_objective(params, hyper, batch):
    x, y = batch
    fit = F.mse_loss(predict(params, x), y)
    ridge = (hyper.log_ridge.exp().unsqueeze(1) * params["w"] ** 2).sum()
    return fit + ridge


def fresh_state(features, width):
    params = {
        "w": torch.randn(features, width) / features ** 0.5,
        "b": torch.zeros(width),
        "v": torch.randn(width, 1) / width ** 0.5,
    }
    return InnerState(params, {k: torch.zeros_like(v) for k, v in params.items()})


def unroll(state, hyper, batches):
    """Differentiable heavy-ball descent; returns the last state and the inner losses."""
    values = []
    for batch in batches:
        grads, value = grad_and_value(inner_objective)(state.params, hyper, batch)
        momentum = {k: 0.8 * state.momentum[k] + grads[k] for k in grads}
        step = hyper.log_step.exp()
        params = {k: state.params[k] - step * momentum[k] for k in grads}
        state = InnerState(params, momentum)
        values.append(value.detach())
    return state, torch.stack(values)
