# gradwatch-corpus: kind=graph-chain
# holder: state | advance.__closure__ | advance
# first-bad: 1
"""Recursive volatility filter over a panel of currency pairs, fitted online by quasi likelihood.
One trading day per step; the filter remembers what it has seen so far."""
import math
from functools import partial

import torch

PAIRS = 16
DAYS = 240
WIDTH = 12


def simulate(days, pairs, seed):
    """GARCH(1,1) returns with a common shock, one row a day."""
    rng = torch.Generator().manual_seed(seed)
    var = torch.full((pairs,), 1.0)
    ret = torch.zeros(pairs)
    for _ in range(days):
        var = 0.05 + 0.10 * ret**2 + 0.85 * var
        common = torch.randn(1, generator=rng)
        ret = var.sqrt() * (0.4 * common + 0.9 * torch.randn(pairs, generator=rng))
        yield ret


def init_params(seed):
    rng = torch.Generator().manual_seed(seed)

    def tensor(*shape, scale):
        return (scale * torch.randn(*shape, generator=rng)).requires_grad_()

    return {
        "w_in": tensor(3, WIDTH, scale=0.4),
        "w_state": tensor(WIDTH, WIDTH, scale=0.5 / math.sqrt(WIDTH)),
        "b": tensor(WIDTH, scale=0.0),
        "w_out": tensor(WIDTH, 1, scale=0.1),
        "b_out": tensor(1, scale=0.0),
    }


def make_filter(params, pairs):
    """Returns the function that takes yesterday's returns in and gives today's log variance out."""
    state = torch.zeros(pairs, WIDTH)

    def advance(features):
        nonlocal state
        state = torch.tanh(features @ params["w_in"] + state @ params["w_state"] + params["b"])  # <- culprit
        return (state @ params["w_out"] + params["b_out"]).squeeze(-1)

    return advance


def make_descent(params, lr, momentum):
    velocity = {name: torch.zeros_like(p) for name, p in params.items()}

    def descend(clip=1.0):
        norm = math.sqrt(sum(float(p.grad.pow(2).sum()) for p in params.values()))
        scale = min(1.0, clip / (norm + 1e-9))
        for name, p in params.items():
            velocity[name].mul_(momentum).add_(p.grad, alpha=scale)
            p.data.add_(velocity[name], alpha=-lr)
            p.grad = None
        return norm

    return descend


def qlike(log_var, ret):
    return 0.5 * (log_var + ret**2 * torch.exp(-log_var)).mean()


def featurize(previous):
    return torch.stack([previous, previous.abs(), previous.pow(2).log1p()], dim=-1)


def smooth(old, new, weight):
    return new if old is None else (1 - weight) * old + weight * new


def main():
    torch.manual_seed(5)
    params = init_params(seed=8)
    advance = make_filter(params, PAIRS)
    descend = make_descent(params, lr=0.02, momentum=0.8)
    blend = partial(smooth, weight=0.05)

    average, previous = None, torch.zeros(PAIRS)
    for day, ret in enumerate(simulate(DAYS, PAIRS, seed=21)):
        log_var = advance(featurize(previous))
        loss = qlike(log_var, ret)
        loss.backward(retain_graph=True)  # <- culprit
        norm = descend()
        average = blend(average, loss.item())
        previous = ret
        if day % 60 == 59:
            print(f"day {day + 1:4d}  qlike {average:.4f}  |g| {norm:.3f}  "
                  f"mean vol {log_var.detach().mul(0.5).exp().mean().item():.3f}")

    print(f"in-sample qlike {average:.4f}")


if __name__ == "__main__":
    main()
