# gradwatch-corpus: kind=none
"""Hail damage: immutable train state folded over batches, leaves renewed at every update."""
from functools import partial, reduce
from itertools import islice
from typing import Any, Callable, NamedTuple

import torch
from torch.func import functional_call
from torch.utils import _pytree as pytree

torch.set_num_threads(1)
torch.manual_seed(270)


class State(NamedTuple):
    params: Any
    mom: Any
    step: int
    losses: tuple


class Tx(NamedTuple):
    init: Callable
    update: Callable


def sgd(lr, beta):
    def init(params):
        return pytree.tree_map(torch.zeros_like, params)

    def update(grads, mom):
        mom = pytree.tree_map(lambda m, g: beta * m + g, mom, grads)
        return pytree.tree_map(lambda m: -lr * m, mom), mom

    return Tx(init, update)


net = torch.nn.Sequential(torch.nn.Linear(4, 10), torch.nn.GELU(), torch.nn.Linear(10, 1))


def loss_fn(params, batch):
    x, y = batch
    return torch.nn.functional.binary_cross_entropy_with_logits(functional_call(net, params, (x,)), y)


def train_step(tx, state, batch):
    loss = loss_fn(state.params, batch)
    leaves, spec = pytree.tree_flatten(state.params)
    grads = pytree.tree_unflatten(torch.autograd.grad(loss, leaves), spec)
    updates, mom = tx.update(grads, state.mom)
    params = pytree.tree_map(lambda p, u: (p + u).detach().requires_grad_(), state.params, updates)
    if state.step % 200 == 199:
        print(state.step + 1, sum(state.losses) / len(state.losses))
    return State(params, mom, state.step + 1, (*state.losses, loss.item())[-50:])


def storms():
    while True:
        x = torch.randn(16, 4)
        yield x, ((x[:, :1] * x[:, 1:2] + x[:, 2:3]) > 0).float()


tx = sgd(0.05, 0.9)
params0 = {k: p.detach().clone().requires_grad_() for k, p in net.named_parameters()}
end = reduce(partial(train_step, tx), islice(storms(), 1200), State(params0, tx.init(params0), 0, ()))
print("steps", end.step)
