# gradwatch-corpus: kind=graph-chain
# holder: self.P | kf.P | self.kf.P | tuner.kf.P
# first-bad: 1
# after: forum "Learning Kalman filter noise with autograd: had to use retain_graph=True and each step gets slower"
"""Tune process and measurement noise of a constant-velocity Kalman filter on radar tracks.

The filter runs over long tracks; every CHUNK measurements the innovation likelihood is
differentiated with respect to the log-noises and the optimizer takes a step.
"""
from dataclasses import dataclass, field
from typing import Iterator, NamedTuple

import torch
from torch import Tensor, nn


@dataclass
class RadarConfig:
    dt: float = 0.5
    n_tracks: int = 24
    chunk: int = 8
    n_chunks: int = 90
    true_q: float = 0.3
    true_r: float = 1.5
    lr: float = 5e-2
    seed: int = 5
    report_every: int = 15


class Step(NamedTuple):
    nll: Tensor
    innovation: Tensor


class ConstantVelocityKF(nn.Module):
    """State (x, y, vx, vy); all tracks share the covariance."""

    def __init__(self, cfg: RadarConfig) -> None:
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(0.0))
        self.log_r = nn.Parameter(torch.zeros(2))
        dt = cfg.dt
        F = torch.eye(4)
        F[0, 2] = F[1, 3] = dt
        G = torch.tensor([[dt ** 2 / 2, 0.0], [0.0, dt ** 2 / 2], [dt, 0.0], [0.0, dt]])
        self.register_buffer("F", F)
        self.register_buffer("GGt", G @ G.T)
        self.register_buffer("H", torch.eye(2, 4))
        self.reset(cfg.n_tracks)

    def reset(self, n: int) -> None:
        self.x = torch.zeros(n, 4)
        self.P = 10.0 * torch.eye(4)

    def cut(self) -> None:
        """Truncate: the next chunk starts from the filtered state as data."""
        self.x = self.x.detach()  # <- culprit

    def forward(self, z: Tensor) -> Step:
        x = self.x @ self.F.T
        P = self.F @ self.P @ self.F.T + self.GGt * self.log_q.exp()
        S = self.H @ P @ self.H.T + torch.diag(self.log_r.exp())
        v = z - x @ self.H.T
        K = torch.linalg.solve(S, self.H @ P).T
        self.x = x + v @ K.T
        I_KH = torch.eye(4) - K @ self.H
        self.P = I_KH @ P  # <- culprit
        maha = (v * torch.linalg.solve(S, v.T).T).sum(-1).mean()
        return Step(0.5 * (maha + torch.logdet(S)), v)


def radar(cfg: RadarConfig) -> Iterator[Tensor]:
    """Endless measurements, one (n_tracks, 2) tensor a tick."""
    g = torch.Generator().manual_seed(cfg.seed)
    pos = torch.zeros(cfg.n_tracks, 2)
    vel = torch.randn(cfg.n_tracks, 2, generator=g)
    while True:
        acc = cfg.true_q ** 0.5 * torch.randn(cfg.n_tracks, 2, generator=g)
        pos = pos + cfg.dt * vel + 0.5 * cfg.dt ** 2 * acc
        vel = vel + cfg.dt * acc
        yield pos + cfg.true_r ** 0.5 * torch.randn(cfg.n_tracks, 2, generator=g)


@dataclass
class NoiseTuner:
    cfg: RadarConfig
    history: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kf = ConstantVelocityKF(self.cfg)
        self.opt = torch.optim.Adam(self.kf.parameters(), lr=self.cfg.lr)

    def run_chunk(self, stream: Iterator[Tensor]) -> float:
        self.kf.cut()
        nll = sum(self.kf(next(stream)).nll for _ in range(self.cfg.chunk)) / self.cfg.chunk
        self.opt.zero_grad()
        nll.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return nll.item()

    def fit(self) -> None:
        stream = radar(self.cfg)
        for i in range(self.cfg.n_chunks):
            self.history.append(self.run_chunk(stream))
            if (i + 1) % self.cfg.report_every == 0:
                q = self.kf.log_q.exp().item()
                r = self.kf.log_r.exp().tolist()
                print(f"chunk {i + 1:3d}  nll {self.history[-1]:.3f}  q {q:.3f}  r {r[0]:.2f} {r[1]:.2f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    NoiseTuner(RadarConfig()).fit()
