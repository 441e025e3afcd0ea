# gradwatch-corpus: kind=graph-chain
# holder: belief | self.belief | kf.belief | filt.belief | belief.mean | belief.cov
"""Learn process / observation noise of a Kalman filter online by maximising the predictive likelihood."""
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Belief(NamedTuple):
    mean: Tensor
    cov: Tensor


class KalmanFilter(nn.Module):
    def __init__(self, dim=4, batch=32):
        super().__init__()
        self.log_q = nn.Parameter(torch.zeros(dim))
        self.log_r = nn.Parameter(torch.zeros(dim))
        F = torch.eye(dim)
        F[0, 1] = F[2, 3] = 0.1
        self.register_buffer("F", F * 0.98)
        self.register_buffer("I", torch.eye(dim))
        self.belief = Belief(torch.zeros(batch, dim, 1), torch.eye(dim).repeat(batch, 1, 1))

    def predict(self):
        m, P = self.belief
        return Belief(self.F @ m, self.F @ P @ self.F.T + torch.diag(self.log_q.exp()))

    def update(self, z):
        m, P = self.predict()
        S = P + torch.diag(self.log_r.exp())
        innov = z.unsqueeze(-1) - m
        gain = torch.linalg.solve(S, P).transpose(-1, -2)
        nll = 0.5 * (torch.logdet(S) + (innov.transpose(-1, -2) @ torch.linalg.solve(S, innov)).flatten())
        self.belief = Belief(m + gain @ innov, (self.I - gain) @ P)  # <- culprit
        return nll.mean()


def measurements(T, batch=32, dim=4):
    x = torch.zeros(batch, dim)
    for _ in range(T):
        x = 0.98 * x + 0.3 * torch.randn(batch, dim)
        yield x + 0.5 * torch.randn(batch, dim)


def fit():
    torch.manual_seed(2)
    kf = KalmanFilter()
    optim = torch.optim.Adam(kf.parameters(), lr=0.02)
    for t, z in enumerate(measurements(100)):
        nll = kf.update(z)
        optim.zero_grad()
        nll.backward(retain_graph=True)  # <- culprit
        optim.step()
        if t % 25 == 0:
            print(t, f"nll={nll.item():.3f}", kf.log_r.exp().mean().item())


fit()
