# gradwatch-corpus: kind=none
"""Meta-train a coordinate-wise learned optimiser on random quadratics with truncated unrolls."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn

CALLBACKS = []


def callback(fn):
    CALLBACKS.append(fn)
    return fn


@dataclass
class Unroll:
    """State of the inner problem; lives on through several truncations."""
    theta: torch.Tensor
    momentum: torch.Tensor
    total: torch.Tensor
    age: int = 0

    def cut(self):
        self.theta = self.theta.detach().requires_grad_()
        self.momentum = self.momentum.detach()
        self.total = torch.zeros(())


@dataclass
class Best:
    value: float = float("inf")
    weights: dict = None


best = Best()


@callback
def keep_best(step, meta_loss, optimizer_net):
    if meta_loss < best.value:
        best.value = meta_loss
        best.weights = {k: v.clone() for k, v in optimizer_net.state_dict().items()}


@callback
def show(step, meta_loss, optimizer_net):
    if step % 60 == 5:
        print(f"step {step:4d} meta loss {meta_loss:.4f} best {best.value:.4f}")


class LearnedRule(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_lr = nn.Parameter(torch.tensor(-3.0))
        self.beta = nn.Parameter(torch.tensor(1.0))

    def forward(self, grad, momentum):
        b = torch.sigmoid(self.beta)
        momentum = b * momentum + (1 - b) * grad
        feats = torch.stack([grad.tanh(), momentum.tanh()], dim=-1)
        return self.log_lr.exp() * (momentum + self.net(feats).squeeze(-1)), momentum


def problem(g, dim):
    a = torch.randn(dim, dim, generator=g) / dim ** 0.5
    target = torch.randn(dim, generator=g)

    def objective(theta):
        return (a @ theta - target).pow(2).mean()
    return objective, Unroll(torch.randn(dim, generator=g).requires_grad_(), torch.zeros(dim), torch.zeros(()))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--truncate", type=int, default=6)
    ap.add_argument("--lifetime", type=int, default=48)
    ap.add_argument("--dim", type=int, default=10)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    rule = LearnedRule()
    meta_opt = torch.optim.Adam(rule.parameters(), lr=3e-3)
    objective, state = problem(g, args.dim)
    for step in range(args.steps):
        loss = objective(state.theta)
        grad, = torch.autograd.grad(loss, state.theta, create_graph=True)
        delta, state.momentum = rule(grad, state.momentum)
        state.theta = state.theta - delta
        state.total = state.total + objective(state.theta)
        state.age += 1
        if state.age % args.truncate == 0:
            meta_loss = state.total / args.truncate
            meta_opt.zero_grad()
            meta_loss.backward()
            nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
            meta_opt.step()
            for fn in CALLBACKS:
                fn(step, meta_loss.item(), rule)
            state.cut()
        if state.age >= args.lifetime:
            objective, state = problem(g, args.dim)
    rule.load_state_dict(best.weights)
    print("best meta loss", round(best.value, 4))


if __name__ == "__main__":
    main()
