# gradwatch-corpus: kind=graph-chain
# holder: self.belief | est.belief | est.belief.mean | est.belief.cov | self.belief.mean | self.belief.cov
# first-bad: 1
"""Tune process / measurement noise of a planar constant-velocity Kalman filter
on a mobile-robot log by minimising the innovation NLL, one lidar fix at a time."""
from typing import NamedTuple

import torch

torch.set_default_dtype(torch.float64)


class Belief(NamedTuple):
    mean: torch.Tensor
    cov: torch.Tensor


class NoiseParams(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q = torch.nn.Parameter(torch.tensor([-4.0, -4.0]))
        self.log_r = torch.nn.Parameter(torch.tensor([0.0, 0.0]))

    def matrices(self, dt):
        q = torch.exp(self.log_q)
        G = torch.tensor([[0.5 * dt ** 2, 0.0], [0.0, 0.5 * dt ** 2], [dt, 0.0], [0.0, dt]])
        Q = G @ torch.diag(q) @ G.T + 1e-6 * torch.eye(4)
        return Q, torch.diag(torch.exp(self.log_r))


class Estimator:
    def __init__(self, noise, dt):
        self.noise = noise
        self.dt = dt
        self.F = torch.eye(4)
        self.F[0, 2] = self.F[1, 3] = dt
        self.H = torch.eye(4)[:2]
        self.belief = Belief(torch.zeros(4), torch.eye(4))

    def predict(self, b, Q):
        return Belief(self.F @ b.mean, self.F @ b.cov @ self.F.T + Q)

    def correct(self, b, z, R):
        innov = z - self.H @ b.mean
        S = self.H @ b.cov @ self.H.T + R
        K = torch.linalg.solve(S, self.H @ b.cov).T
        mean = b.mean + K @ innov
        cov = (torch.eye(4) - K @ self.H) @ b.cov
        nll = 0.5 * (torch.logdet(S) + innov @ torch.linalg.solve(S, innov))
        return Belief(mean, 0.5 * (cov + cov.T)), nll  # <- culprit

    def process(self, fixes):
        Q, R = self.noise.matrices(self.dt)
        nlls = []
        for z in fixes:
            self.belief, nll = self.correct(self.predict(self.belief, Q), z, R)  # <- culprit
            nlls.append(nll)
        return torch.stack(nlls).mean()


def drive(n, dt, seed=1):
    g = torch.Generator().manual_seed(seed)
    x = torch.tensor([0.0, 0.0, 1.0, 0.2])
    fixes = []
    for _ in range(n):
        acc = 0.6 * torch.randn(2, generator=g)
        x = torch.cat([x[:2] + dt * x[2:] + 0.5 * dt ** 2 * acc, x[2:] + dt * acc])
        fixes.append(x[:2] + 0.25 * torch.randn(2, generator=g))
    return torch.stack(fixes)


def main():
    dt, per_step, steps = 0.1, 3, 70
    log = drive(per_step * steps, dt)
    noise = NoiseParams()
    est = Estimator(noise, dt)
    optimizer = torch.optim.Adam(noise.parameters(), lr=0.05)
    for k, fixes in enumerate(log.split(per_step)):
        optimizer.zero_grad()
        nll = est.process(fixes)
        nll.backward(retain_graph=True)
        optimizer.step()
        if k % 10 == 0:
            r = noise.log_r.exp().sqrt().tolist()
            print(f"[{k:03d}] nll={nll.item():7.3f} sigma_r=({r[0]:.3f}, {r[1]:.3f})")
    print("sigma_a:", noise.log_q.exp().sqrt().tolist())


if __name__ == "__main__":
    main()
