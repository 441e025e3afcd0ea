# gradwatch-corpus: kind=graph-chain
# holder: state.params | state | params
# first-bad: 2
"""Small functional trainer in the style of other frameworks: state in, state out."""
from dataclasses import dataclass, field, replace

import torch

torch.set_num_threads(1)


@dataclass(frozen=True)
class FitState:
    params: dict
    speed: dict
    step: int = 0
    history: tuple = field(default=())


def init_params(sizes, gen):
    params = {}
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        params[f"w{i}"] = (torch.randn(a, b, generator=gen) * (2 / a) ** 0.5).requires_grad_()
        params[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return params


def apply(params, x):
    layers = len(params) // 2
    for i in range(layers):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        if i < layers - 1:
            x = torch.nn.functional.silu(x)
    return x


def sgd(lr, momentum):
    def update(state, grads):
        speed = {k: momentum * state.speed[k] + g for k, g in grads.items()}
        params = {k: p - lr * speed[k] for k, p in state.params.items()}  # <- culprit
        return params, speed
    return update


def make_step(update, loss_fn):
    def step(state, batch):
        loss = loss_fn(state.params, *batch)
        names = list(state.params)
        grads = torch.autograd.grad(loss, [state.params[n] for n in names])
        params, speed = update(state, dict(zip(names, grads)))
        return replace(state, params=params, speed=speed, step=state.step + 1,  # <- culprit
                       history=state.history + (loss.item(),))
    return step


def mse(params, x, y):
    return (apply(params, x).squeeze(1) - y).pow(2).mean()


def batches(gen, count, size=64):
    for _ in range(count):
        x = torch.rand(size, 3, generator=gen) * 4 - 2
        y = torch.sin(x[:, 0]) * x[:, 1] + 0.3 * x[:, 2].abs()
        yield x, y + 0.02 * torch.randn(size, generator=gen)


def main():
    gen = torch.Generator().manual_seed(23)
    params = init_params((3, 32, 32, 1), gen)
    state = FitState(params, {k: torch.zeros_like(p) for k, p in params.items()})
    step = make_step(sgd(lr=0.02, momentum=0.9), mse)
    for batch in batches(gen, 120):
        state = step(state, batch)
        if state.step % 30 == 0:
            print(f"step {state.step} mse {sum(state.history[-10:]) / 10:.4f}")


if __name__ == "__main__":
    main()
