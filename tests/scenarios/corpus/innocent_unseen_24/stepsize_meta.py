# gradwatch-corpus: kind=none
"""Cross-validated meta-gradients: unroll four inner updates, adapt step sizes, carry the values on."""
import itertools
from functools import partial
from typing import NamedTuple

import torch

torch.manual_seed(13)
DIM, UNROLL, ROUNDS, BS = 20, 4, 150, 64


class Agent(NamedTuple):
    w1: torch.Tensor
    w2: torch.Tensor
    score: float = 0.0
    rounds: int = 0

    @classmethod
    def fresh(cls, hidden=16):
        return cls((torch.randn(DIM, hidden) / DIM ** 0.5).requires_grad_(),
                   (torch.randn(hidden) / hidden ** 0.5).requires_grad_())

    def theta(self):
        return self.w1, self.w2


def q_values(theta, x):
    w1, w2 = theta
    return torch.tanh(x @ w1) @ w2


def drifting_bandit():
    centre = torch.randn(DIM)
    while True:
        centre = centre + 0.05 * torch.randn(DIM)
        x = torch.randn((UNROLL + 1) * BS, DIM)
        y = torch.sin(x @ centre / DIM ** 0.5) + 0.1 * torch.randn(len(x))
        yield list(zip(x.split(BS), y.split(BS)))


def mse(theta, xy):
    x, y = xy
    return (q_values(theta, x) - y).square().mean()


class StepSizes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = torch.nn.ParameterList([
            torch.nn.Parameter(torch.full((DIM, 1), -1.5)), torch.nn.Parameter(torch.tensor(-1.5))])
        self.decay = torch.nn.Parameter(torch.tensor(4.0))

    def apply_to(self, theta, grads):
        keep = torch.sigmoid(self.decay)
        return tuple(keep * t - torch.sigmoid(r) * g for t, r, g in zip(theta, self.raw, grads))


def meta_round(sizes, opt, agent, batches):
    theta = agent.theta()
    *inner, outer = batches
    for xy in inner:
        grads = torch.autograd.grad(mse(theta, xy), theta, create_graph=True)
        theta = sizes.apply_to(theta, grads)
    objective = mse(theta, outer)
    opt.zero_grad()
    objective.backward(inputs=list(sizes.parameters()))
    opt.step()
    w1, w2 = (t.detach().requires_grad_() for t in theta)
    return agent._replace(w1=w1, w2=w2, score=objective.item(), rounds=agent.rounds + 1)


def main():
    sizes = StepSizes()
    opt = torch.optim.Adam(sizes.parameters(), lr=0.02)
    rounds = itertools.accumulate(
        itertools.islice(drifting_bandit(), ROUNDS),
        partial(meta_round, sizes, opt), initial=Agent.fresh())
    history = []
    for agent in itertools.islice(rounds, 1, None):
        history.append(agent)
        if agent.rounds % 30 == 0:
            recent = [a.score for a in history[-30:]]
            print(f"round {agent.rounds:4d}  objective {sum(recent) / 30:.4f}  "
                  f"drift {(history[-1].w1 - history[-30].w1).norm().item():.3f}")
            history = history[-1:]


if __name__ == "__main__":
    main()
