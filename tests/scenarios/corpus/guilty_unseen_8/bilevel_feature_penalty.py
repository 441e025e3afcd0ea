# gradwatch-corpus: kind=graph-chain
# holder: coef | state["coef"] | state
# first-bad: 1
"""Bilevel choice of per-feature ridge penalties for a gene-expression regression.

Lower level: one proximal-gradient step on the training split per round (weights are warm-started).
Upper level: Adam on the log penalties and the log step size, through the validation error.
"""
from functools import partial

import torch

GENES, RELEVANT = 60, 8


def make_split(truth, n):
    x = torch.randn(n, GENES)
    return x, x @ truth + 0.5 * torch.randn(n)


def lower_objective(w, x, y, pen):
    return 0.5 * (x @ w - y).pow(2).mean() + 0.5 * (pen * w.pow(2)).sum()


def lower_step(w, log_pen, log_eta, batch):
    inner = lower_objective(w, *batch, log_pen.exp())
    (slope,) = torch.autograd.grad(inner, w, create_graph=True)
    return w - log_eta.exp() * slope


def rounds(total, truth, train_n=40, val_n=40):
    for r in range(total):
        yield r, make_split(truth, train_n), make_split(truth, val_n)


def run(total=170):
    truth = torch.zeros(GENES)
    truth[:RELEVANT] = torch.randn(RELEVANT) * 2
    log_pen = torch.full((GENES,), -2.0, requires_grad=True)
    log_eta = torch.tensor(-2.5, requires_grad=True)
    upper = torch.optim.Adam([log_pen, log_eta], lr=0.03)
    state = {"coef": torch.zeros(GENES, requires_grad=True), "curve": []}
    for r, train, (xv, yv) in rounds(total, truth):
        step = partial(lower_step, log_pen=log_pen, log_eta=log_eta, batch=train)
        coef = step(state["coef"])
        val = 0.5 * (xv @ coef - yv).pow(2).mean()
        upper.zero_grad()
        # weights stay alive for the next round
        val.backward(retain_graph=True)  # <- culprit
        upper.step()
        state["coef"] = coef  # <- culprit
        state["curve"].append(val.item())
        if r % 30 == 0:
            pen = log_pen.detach().exp()
            print(f"round {r:3d} val {val.item():.3f} step {log_eta.exp().item():.4f} "
                  f"pen kept {pen[:RELEVANT].mean():.3f} / null {pen[RELEVANT:].mean():.3f}")
    return state["curve"]


if __name__ == "__main__":
    torch.manual_seed(404)
    curve = run()
    print("first %.3f last %.3f" % (curve[0], sum(curve[-10:]) / 10))
