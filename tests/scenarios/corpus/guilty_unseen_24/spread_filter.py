# gradwatch-corpus: kind=graph-chain
# holder: self.cov | belief.cov
# first-bad: 1
"""Maximum-likelihood fit of a latent AR(1) spread with a scalar Kalman filter per pair."""
import math

import torch
from torch import nn


def simulate(n_pairs, n_obs, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.zeros(n_pairs)
    rows = []
    for _ in range(n_obs):
        x = 0.97 * x + 0.2 * torch.randn(n_pairs, generator=g)
        rows.append(x + 0.5 * torch.randn(n_pairs, generator=g))
    return torch.stack(rows)


class Belief:
    __slots__ = ("mean", "cov", "seen")

    def __init__(self, n):
        self.mean = torch.zeros(n)
        self.cov = torch.ones(n)
        self.seen = 0

    def commit(self, mean, cov, n):
        self.mean = mean.detach()
        self.cov = cov  # <- culprit
        self.seen += n


class SpreadModel(nn.Module):
    def __init__(self, n_pairs):
        super().__init__()
        self.raw_phi = nn.Parameter(torch.full((n_pairs,), 1.0))
        self.log_q = nn.Parameter(torch.full((n_pairs,), -1.0))
        self.log_r = nn.Parameter(torch.full((n_pairs,), 0.0))

    @property
    def coefficients(self):
        return torch.tanh(self.raw_phi), self.log_q.exp(), self.log_r.exp()

    def filter(self, ys, belief):
        phi, q, r = self.coefficients
        m, p = belief.mean, belief.cov
        nll = 0.0
        for y in ys:
            m_pred = phi * m
            p_pred = phi * phi * p + q
            s = p_pred + r
            gain = p_pred / s
            err = y - m_pred
            nll = nll + 0.5 * (math.log(2 * math.pi) + s.log() + err * err / s)
            m = m_pred + gain * err
            p = (1 - gain) * p_pred
        belief.commit(m, p, len(ys))
        return (nll / len(ys)).mean()


def windows(panel, width):
    for start in range(0, len(panel) - width + 1, width):
        yield panel[start:start + width]


def fit(panel, width=6, lr=0.02):
    model = SpreadModel(panel.shape[1])
    optim = torch.optim.Adam(model.parameters(), lr=lr)
    belief = Belief(panel.shape[1])
    for i, ys in enumerate(windows(panel, width)):
        optim.zero_grad()
        nll = model.filter(ys, belief)
        nll.backward(retain_graph=True)
        optim.step()
        if i % 15 == 0:
            phi, q, r = (c.detach().mean().item() for c in model.coefficients)
            print(f"obs {belief.seen:5d}  nll {nll.item():.4f}  phi {phi:.3f}  q {q:.3f}  r {r:.3f}")
    return model


if __name__ == "__main__":
    torch.manual_seed(0)
    fit(simulate(n_pairs=48, n_obs=6 * 110))
