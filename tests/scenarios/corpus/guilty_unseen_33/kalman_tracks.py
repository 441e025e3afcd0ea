# gradwatch-corpus: kind=graph-chain
# holder: self._tracks | self._tracks[tid] | self._tracks[tid].mean | self._tracks[tid].cov | tracker._tracks | tracker._tracks[tid] | tracker._tracks[tid].mean | tracker._tracks[tid].cov | self._tracks[0].mean | tracker._tracks[0].mean | prior | prior.mean | prior.cov | self._tracks[0] | self._tracks[1] | self._tracks[2] | self._tracks[0].cov | tracker._tracks[0] | tracker._tracks[1] | tracker._tracks[2] | tracker._tracks[0].cov
# first-bad: 1
"""Tune the noise levels of a constant-velocity Kalman filter by innovation likelihood."""
from typing import NamedTuple

import torch
from torch.utils.data import DataLoader, Dataset


class Belief(NamedTuple):
    mean: torch.Tensor
    cov: torch.Tensor


class Trajectories(Dataset):
    """Noisy positions of a few objects; item t holds the readings of time t."""

    def __init__(self, n_obj=3, length=70, seed=0):
        g = torch.Generator().manual_seed(seed)
        vel = torch.randn(n_obj, generator=g) + 0.05 * torch.randn(length, n_obj, generator=g).cumsum(0)
        self.z = vel.cumsum(0) * 0.1 + 0.2 * torch.randn(length, n_obj, generator=g)

    def __len__(self):
        return len(self.z)

    def __getitem__(self, t):
        return self.z[t]


class TrackStore:
    """Belief book-keeping shared by the trackers."""

    def __init__(self):
        super().__init__()
        self._tracks = {}

    def belief(self, tid):
        if tid not in self._tracks:
            self._tracks[tid] = Belief(torch.zeros(2, 1), 2.0 * torch.eye(2))
        return self._tracks[tid]

    def _put(self, tid, mean, cov):
        self._tracks[tid] = Belief(mean, cov)  # <- culprit

    def __len__(self):
        return len(self._tracks)


class KalmanTracker(TrackStore, torch.nn.Module):
    def __init__(self, dt=0.1):
        super().__init__()
        self.log_q = torch.nn.Parameter(torch.tensor([-3.0, -3.0]))
        self.log_r = torch.nn.Parameter(torch.tensor(0.0))
        self.register_buffer("F", torch.tensor([[1.0, dt], [0.0, 1.0]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))

    def update(self, tid, z):
        prior = self.belief(tid)
        mean = self.F @ prior.mean
        cov = self.F @ prior.cov @ self.F.T + torch.diag(self.log_q.exp())
        resid = z.view(1, 1) - self.H @ mean
        s = self.H @ cov @ self.H.T + self.log_r.exp()
        gain = cov @ self.H.T / s
        self._put(tid, mean + gain @ resid, (torch.eye(2) - gain @ self.H) @ cov)  # <- culprit
        return 0.5 * (resid.pow(2) / s + s.log()).squeeze()

    def forward(self, readings):
        return torch.stack([self.update(tid, z) for tid, z in enumerate(readings)]).mean()


def run():
    torch.manual_seed(1)
    tracker = KalmanTracker()
    opt = torch.optim.Adam(tracker.parameters(), lr=0.03)
    loader = DataLoader(Trajectories(), batch_size=None, shuffle=False)
    avg = 0.0
    for t, readings in enumerate(loader):
        nll = tracker(readings)
        opt.zero_grad()
        nll.backward(retain_graph=True)  # <- culprit
        opt.step()
        avg += (nll.item() - avg) / (t + 1)
        if (t + 1) % 14 == 0:
            q = tracker.log_q.detach().exp().tolist()
            print(f"t={t + 1:3d} tracks={len(tracker)} nll={avg:.3f} "
                  f"q=({q[0]:.3f}, {q[1]:.3f}) r={tracker.log_r.exp().item():.3f}")


if __name__ == "__main__":
    run()
