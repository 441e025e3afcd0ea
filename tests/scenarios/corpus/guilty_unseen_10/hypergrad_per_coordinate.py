# gradwatch-corpus: kind=graph-chain
# holder: theta | th | state["theta"] | state
# first-bad: 1
"""Learning one step size for each coordinate by differentiating the validation loss through a few inner gradient steps
(first-order hypergradients, cf. Baydin et al. 2018; the toy regression of appendix C)."""
import functools

import torch
from torch.autograd import grad

torch.manual_seed(8)

DIM = 30
INNER = 4
OUTER = 280


def problem(n, scale, w, noise=0.1):
    x = torch.randn(n, DIM) * scale
    return x, x @ w + noise * torch.randn(n)


def make_problem():
    scale = torch.logspace(-0.7, 0.5, DIM)
    w = torch.randn(DIM)
    return problem(512, scale, w), problem(128, scale, w)


def mse(th, data):
    x, y = data
    return (x @ th - y).square().mean()


def subset(data, n):
    idx = torch.randint(0, len(data[0]), (n,))
    return data[0][idx], data[1][idx]


def inner_step(th, _, rates, train):
    """One gradient step, differentiable in the rates only."""
    g, = grad(mse(th, subset(train, 64)), th)
    return th - rates * g


def unroll(th, rates, train, k=INNER):
    return functools.reduce(functools.partial(inner_step, rates=rates, train=train), range(k), th)


def outer_step(state, train, valid):
    theta, log_rates, opt = state["theta"], state["log_rates"], state["opt"]
    theta = unroll(theta, log_rates.exp(), train)
    outer_loss = mse(theta, valid)
    opt.zero_grad()
    outer_loss.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_norm_([log_rates], 1.0)
    opt.step()
    state["theta"] = theta  # <- culprit
    return outer_loss.item()


def main():
    train, valid = make_problem()
    log_rates = torch.full((DIM,), -5.0, requires_grad=True)
    state = {
        "theta": torch.zeros(DIM, requires_grad=True),
        "log_rates": log_rates,
        "opt": torch.optim.Adam([log_rates], lr=0.02),
    }
    curve = []
    for k in range(OUTER):
        curve.append(outer_step(state, train, valid))
        if k % 40 == 0:
            r = log_rates.detach().exp()
            print(f"outer {k:4d}  validation {curve[-1]:9.4f}  rates {r.min().item():.4f} .. {r.max().item():.4f}")
    order = log_rates.detach().argsort(descending=True)[:5].tolist()
    print("fastest coordinates:", order)
    print(f"first/last validation loss: {curve[0]:.3f} / {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
