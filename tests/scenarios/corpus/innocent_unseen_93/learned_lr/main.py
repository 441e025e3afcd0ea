# gradwatch-corpus: kind=none
"""Learns per-layer log learning rates by unrolling the inner optimizer.

The inner weights move with differentiable updates; every CUT inner updates a
lookahead-style slow copy takes over and the trajectory starts afresh from it.
"""
import torch

from inner import InnerRun, init_weights, loss_fn
from tasks import sine_task

torch.set_num_threads(1)

CUT = 5
STEPS = 400


def main():
    torch.manual_seed(19)
    log_lr = torch.nn.Parameter(torch.full((4,), -4.0))
    meta = torch.optim.Adam([log_lr], lr=0.02)
    batches = sine_task(seed=8, n=16)
    run = InnerRun(init_weights(), slow_rate=0.7)

    for step in range(STEPS):
        if step % CUT == 0:
            run.synchronise()
        x, y = next(batches)
        run.update(x, y, log_lr.exp())
        xv, yv = next(batches)
        outer = loss_fn(run.fast, xv, yv)
        # hypergradient through all updates since the last synchronisation
        g, = torch.autograd.grad(outer, log_lr, retain_graph=True)
        log_lr.grad = g.clamp(-1, 1)
        # the trajectory keeps the rates it was made with
        meta.step()
        if step % 80 == 79:
            rates = " ".join(f"{r:.4f}" for r in log_lr.exp().tolist())
            print(f"{step + 1} outer {outer.item():.4f} rates {rates} updates {run.length}")


if __name__ == "__main__":
    main()
