# gradwatch-corpus: kind=none
# Learning a manoeuvre model by maximum likelihood, one short radar track per update.
from functools import partial, reduce
from typing import NamedTuple
import torch

torch.set_num_threads(1)
torch.manual_seed(60)

TRACK = 12
H = torch.eye(2, 4)
F0 = torch.eye(4) + torch.diag(torch.ones(2), 2)


class Filter(NamedTuple):
    m: torch.Tensor
    P: torch.Tensor
    nll: torch.Tensor
    innovations: tuple


def transition(turn):
    c, s = torch.cos(turn), torch.sin(turn)
    rot = torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
    low = torch.cat([torch.zeros(2, 2), rot], 1)
    return torch.cat([F0[:2], low])


def step(theta, belief, z):
    F = transition(theta["turn"])
    Q = torch.diag(torch.cat([1e-3 * torch.ones(2), theta["q"].exp().expand(2)]))
    R = theta["r"].exp() * torch.eye(2)
    m, P = F @ belief.m, F @ belief.P @ F.T + Q
    S = H @ P @ H.T + R
    nu = z - H @ m
    K = torch.linalg.solve(S, H @ P).T
    nll = 0.5 * (nu @ torch.linalg.solve(S, nu) + torch.logdet(S))
    return Filter(m + K @ nu, P - K @ S @ K.T, belief.nll + nll, belief.innovations + (nu,))


def track():
    angle = torch.tensor(0.15)
    F = transition(angle)
    x = torch.cat([torch.randn(2), torch.randn(2)])
    for _ in range(TRACK):
        x = F @ x + torch.cat([torch.zeros(2), 0.1 * torch.randn(2)])
        yield x[:2] + 0.3 * torch.randn(2)


theta = {k: torch.tensor(v, requires_grad=True) for k, v in {"turn": 0.0, "q": -2.0, "r": 0.0}.items()}
opt = torch.optim.Adam(theta.values(), lr=0.02)
fresh = lambda: Filter(torch.zeros(4), 2 * torch.eye(4), torch.zeros(()), ())
whiteness = []
for episode in range(430):
    final = reduce(partial(step, theta), track(), fresh())
    nu = torch.stack(final.innovations)
    lag = (nu[1:] * nu[:-1]).mean()
    loss = final.nll / TRACK + 0.05 * lag ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    whiteness.append(lag.item())
    if episode % 86 == 85:
        print(episode + 1, f"{loss.item():.3f} lag {sum(whiteness[-86:]) / 86:+.3f}",
              {k: round(v.item(), 3) for k, v in theta.items()})
