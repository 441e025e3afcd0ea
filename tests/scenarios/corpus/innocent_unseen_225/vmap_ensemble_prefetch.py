# gradwatch-corpus: kind=none
"""Deep ensemble for battery health, JAX style: stacked params, vmap(grad), a prefetch thread."""
import queue
import threading
from functools import partial
from typing import NamedTuple

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap


class OptState(NamedTuple):
    mu: dict
    nu: dict
    t: int


def tree_map(fn, *trees):
    return {k: fn(*(tree[k] for tree in trees)) for k in trees[0]}


def adam_init(params):
    return OptState(tree_map(torch.zeros_like, params), tree_map(torch.zeros_like, params), 0)


def adam_update(grads, state, params, lr=3e-3, b1=0.9, b2=0.99, eps=1e-8):
    t = state.t + 1
    mu = tree_map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
    nu = tree_map(lambda v, g: b2 * v + (1 - b2) * g * g, state.nu, grads)
    c1 = 1 - b1 ** t
    c2 = 1 - b2 ** t
    new = tree_map(lambda p, m, v: p - lr * (m / c1) / ((v / c2).sqrt() + eps), params, mu, nu)
    return new, OptState(mu, nu, t)


def make_member(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 32),
        nn.SiLU(),
        nn.Linear(32, 32),
        nn.SiLU(),
        nn.Linear(32, 2),
    )


def nll(params, buffers, x, y, skeleton):
    out = functional_call(skeleton, (params, buffers), (x,))
    mean, log_var = out.unbind(-1)
    return (0.5 * log_var + 0.5 * (y - mean).pow(2) * torch.exp(-log_var)).mean()


def cycler(n_batches, out):
    gen = torch.Generator().manual_seed(8)
    for _ in range(n_batches):
        x = torch.randn(5, 32, 6, generator=gen)
        noise = torch.randn(5, 32, generator=gen)
        y = torch.sin(x[..., 0]) - 0.4 * x[..., 1] + (0.1 + 0.2 * x[..., 2].abs()) * noise
        out.put((x, y))
    out.put(None)


def main():
    torch.manual_seed(15)
    members = [make_member(6) for _ in range(5)]
    params, buffers = stack_module_state(members)
    params = {k: p.detach() for k, p in params.items()}
    skeleton = make_member(6).to("meta")
    step_fn = vmap(grad_and_value(partial(nll, skeleton=skeleton)))
    state = adam_init(params)
    box = queue.Queue(maxsize=4)
    worker = threading.Thread(target=cycler, args=(150, box), daemon=True)
    worker.start()
    curve = []
    temperature = nn.Parameter(torch.zeros(()))
    calibrator = torch.optim.SGD([temperature], lr=0.02)
    for x, y in iter(box.get, None):
        grads, values = step_fn(params, buffers, x, y)
        params, state = adam_update(grads, state, params)
        predict = vmap(lambda p, b, xi: functional_call(skeleton, (p, b), (xi,)))
        mean, log_var = predict(params, buffers, x).unbind(-1)
        scaled = log_var + temperature
        calib = (0.5 * scaled + 0.5 * (y - mean).pow(2) * torch.exp(-scaled)).mean()
        calibrator.zero_grad()
        calib.backward()
        calibrator.step()
        curve.append(values.mean().item())
        if state.t % 30 == 0:
            print(f"step {state.t} nll {curve[-1]:.4f} temperature {temperature.item():+.4f}")
    worker.join()


if __name__ == "__main__":
    main()
