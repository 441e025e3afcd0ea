# gradwatch-corpus: kind=graph-chain
# holder: hidden | bank_state
# first-bad: 1
# notice: 5
# A bank of five small recurrent forecasters trained side by side, jax fashion:
# stacked parameter trees, vmap over members, params replaced (not mutated) at every update.
import math

import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.set_num_threads(1)
torch.manual_seed(0)

MEMBERS, CELLS, LR = 5, 6, 0.03


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(1, CELLS)
        self.rec = nn.Linear(CELLS, CELLS, bias=False)
        self.out = nn.Linear(CELLS, 1)

    def forward(self, h, x):
        h = torch.tanh(self.inp(x) + self.rec(h))
        return h, self.out(h)


members = [Forecaster() for _ in range(MEMBERS)]
init_params, _ = stack_module_state(members)
skeleton = Forecaster().to("meta")


def call_one(p, h, x):
    return functional_call(skeleton, p, (h, x))


call_all = vmap(call_one, in_dims=(0, 0, None))


def as_leaves(tree):
    return {k: v.detach().requires_grad_() for k, v in tree.items()}


def signal():
    t = 0
    while True:
        yield torch.tensor([[math.sin(0.2 * t) + 0.3 * math.sin(0.47 * t)]] * 2)
        t += 1


def update(params, hidden, x, target):
    hidden, guess = call_all(params, hidden, x)  # <- culprit
    loss = (guess - target).square().mean(dim=(1, 2)).sum()
    names = list(params)
    grads = torch.autograd.grad(loss, [params[n] for n in names])
    new = {n: params[n] - LR * g for n, g in zip(names, grads)}
    return as_leaves(new), hidden, loss.item()  # <- culprit


def main():
    stream = signal()
    params = as_leaves(init_params)
    bank_state = torch.zeros(MEMBERS, 2, CELLS)
    x = next(stream)
    for t in range(400):
        target = next(stream)
        params, bank_state, loss = update(params, bank_state, x, target)  # <- culprit
        x = target
        if t % 100 == 99:
            print(t + 1, round(loss, 4))


main()
