# gradwatch-corpus: kind=none
"""MAML on sine waves, with a loss after each inner step (multi-step loss of MAML++)."""
import argparse
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from inner import apply, init, make_adapt


@dataclass
class OuterState:
    params: dict
    task_losses: list = field(default_factory=list)
    curve: list = field(default_factory=list)


def sine_task(g, k=10):
    amp = 0.5 + 2 * torch.rand(1, generator=g)
    phase = 3.14 * torch.rand(1, generator=g)
    x = 10 * torch.rand(2 * k, 1, generator=g) - 5
    y = amp * torch.sin(x + phase)
    return (x[:k], y[:k]), (x[k:], y[k:])


def multi_step_loss(trajectory, x, y, anneal):
    """Weighted sum of the query losses along the trajectory; the last one counts most as anneal -> 1."""
    terms = [F.mse_loss(apply(p, x), y) for p in trajectory[1:]]
    early = (1 - anneal) / len(terms)
    weights = [early] * (len(terms) - 1) + [1 - early * (len(terms) - 1)]
    return sum(w * t for w, t in zip(weights, terms))


def outer_step(state, opt, adapt, g, tasks, anneal):
    for _ in range(tasks):
        (xs, ys), (xq, yq) = sine_task(g)
        _, trajectory = adapt(state.params, xs, ys)
        state.task_losses.append(multi_step_loss(trajectory, xq, yq, anneal))
    meta = torch.stack(state.task_losses).mean()
    opt.zero_grad()
    meta.backward()
    torch.nn.utils.clip_grad_norm_(list(state.params.values()), 5.0)
    opt.step()
    state.curve.append(meta.item())
    state.task_losses.clear()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--tasks", type=int, default=4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    state = OuterState(init())
    opt = torch.optim.Adam(list(state.params.values()), lr=2e-3)
    adapt = make_adapt(steps=3, lr=0.02)
    for it in range(args.iters):
        outer_step(state, opt, adapt, g, args.tasks, anneal=min(1.0, it / 80))
        if it % 30 == 0:
            print(f"{it:4d} meta loss {state.curve[-1]:.4f}")
    print("last ten", round(sum(state.curve[-10:]) / 10, 4))


if __name__ == "__main__":
    main()
