# gradwatch-corpus: kind=graph-held
# holder: self.nis | gate.nis | tracker.gate.nis | self.gate.nis
# first-bad: 1
"""Learning process and measurement noise of a constant-velocity Kalman filter by maximum likelihood.

The normalised innovation squared (NIS) is smoothed over windows; its value sets the gate for outliers.
"""
import math

import torch
from torch import nn


class InnovationGate:
    """Accepts a measurement when its Mahalanobis distance is below a level that follows the filter's own consistency."""

    def __init__(self, dim, forget=0.96):
        self.forget = forget
        self.nis = torch.tensor(float(dim))

    def feed(self, distances):
        self.nis = self.forget * self.nis + (1 - self.forget) * distances.mean()  # <- culprit

    @property
    def level(self):
        return 9.2 * max(1.0, float(self.nis) / 2.0)


class Tracker(nn.Module):
    def __init__(self, dt=0.5):
        super().__init__()
        eye = torch.eye(2)
        self.register_buffer("F", torch.kron(torch.tensor([[1.0, dt], [0.0, 1.0]]), eye))
        self.register_buffer("H", torch.kron(torch.tensor([[1.0, 0.0]]), eye))
        self.register_buffer("G", torch.kron(torch.tensor([[dt ** 2 / 2], [dt]]), eye))
        self.log_q = nn.Parameter(torch.tensor([0.0, 0.0]))
        self.log_r = nn.Parameter(torch.tensor([1.0, 1.0]))
        self.gate = InnovationGate(2)

    def forward(self, z):
        B, T, _ = z.shape
        Q = self.G @ torch.diag(self.log_q.exp()) @ self.G.T
        R = torch.diag(self.log_r.exp())
        m = torch.cat([z[:, 0], torch.zeros(B, 2)], -1)
        S = torch.eye(4).expand(B, 4, 4) * 4.0
        nll, dist = 0.0, []
        for t in range(1, T):
            m = m @ self.F.T
            S = self.F @ S @ self.F.T + Q
            innov = z[:, t] - m @ self.H.T
            C = self.H @ S @ self.H.T + R
            L = torch.linalg.cholesky(C)
            white = torch.linalg.solve_triangular(L, innov[..., None], upper=False).squeeze(-1)
            d = white.pow(2).sum(-1)
            ok = (d < self.gate.level).float()
            K = torch.cholesky_solve(self.H @ S, L).mT
            m = m + ok[:, None] * (K @ innov[..., None]).squeeze(-1)
            S = S - ok[:, None, None] * (K @ self.H @ S)
            nll = nll + (ok * (0.5 * d + L.diagonal(dim1=-2, dim2=-1).log().sum(-1) + math.log(2 * math.pi))).mean()
            dist.append(d)
        self.gate.feed(torch.stack(dist))  # <- culprit
        return nll / (T - 1)


def simulate(B, T, dt=0.5, q=0.3, r=0.8, outliers=0.03):
    pos, vel, out = torch.zeros(B, 2), torch.randn(B, 2), []
    for _ in range(T):
        acc = math.sqrt(q) * torch.randn(B, 2)
        pos = pos + dt * vel + 0.5 * dt ** 2 * acc
        vel = vel + dt * acc
        z = pos + math.sqrt(r) * torch.randn(B, 2)
        z = z + 15.0 * torch.randn(B, 2) * (torch.rand(B, 1) < outliers)
        out.append(z)
    return torch.stack(out, 1)


def main():
    torch.manual_seed(2024)
    tracker = Tracker()
    rms = torch.optim.RMSprop(tracker.parameters(), lr=0.02)
    for it in range(300):
        nll = tracker(simulate(16, 8))
        rms.zero_grad()
        nll.backward()
        rms.step()
        if it % 60 == 0:
            print(f"{it:4d} nll {nll.item():.3f} q {tracker.log_q.exp().tolist()} gate {tracker.gate.level:.2f}")
    print("measurement variance", [round(v, 3) for v in tracker.log_r.exp().tolist()])


if __name__ == "__main__":
    main()
