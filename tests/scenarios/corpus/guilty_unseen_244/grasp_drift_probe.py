# gradwatch-corpus: kind=graph-held
# holder: self.traces | probe.traces | self.traces["fuse"] | probe.traces["fuse"] | trace
# first-bad: 1
"""Grasp success prediction from depth crop and gripper pose, watched by a feature drift probe."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor, nn


@dataclass
class CellSettings:
    crop: int = 16
    pose_dim: int = 7
    fuse_dim: int = 32
    batch: int = 20
    attempts: int = 120
    report_every: int = 30
    lr: float = 2e-3


class GraspNet(nn.Module):
    def __init__(self, s: CellSettings) -> None:
        super().__init__()
        self.depth = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(8, 12, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.pose = nn.Linear(s.pose_dim, 16)
        self.fuse = nn.Linear(12 * (s.crop // 4) ** 2 + 16, s.fuse_dim)
        self.success = nn.Linear(s.fuse_dim, 1)
        self.slip = nn.Linear(s.fuse_dim, 1)

    def forward(self, crop: Tensor, pose: Tensor) -> tuple[Tensor, Tensor]:
        z = torch.cat([self.depth(crop), torch.relu(self.pose(pose))], dim=1)
        z = torch.relu(self.fuse(z))
        return self.success(z).squeeze(1), self.slip(z).squeeze(1)


class FeatureProbe:
    """Tracks the mean activation of chosen layers against the first attempts of the shift."""

    def __init__(self, net: nn.Module, layers: list[str], baseline: int = 10) -> None:
        self.baseline = baseline
        self.traces: dict[str, deque[Tensor]] = {name: deque() for name in layers}
        self._handles = []
        for name in layers:
            layer = net.get_submodule(name)
            self._handles.append(layer.register_forward_hook(self._recorder(name)))

    def _recorder(self, name: str) -> Callable:
        trace = self.traces[name]

        def record(_module: nn.Module, _inputs: tuple, output: Tensor) -> None:
            trace.append(output.mean(dim=0))  # <- culprit

        return record

    def drift(self, name: str, recent: int = 10) -> float:
        trace = list(self.traces[name])
        if len(trace) < self.baseline + recent:
            return 0.0
        with torch.no_grad():
            early = torch.stack(trace[: self.baseline]).mean(dim=0)
            late = torch.stack(trace[-recent:]).mean(dim=0)
            return (late - early).norm().div(early.norm() + 1e-6).item()

    def close(self) -> None:
        for handle in self._handles:
            handle.remove()


class PickingCell:
    def __init__(self, s: CellSettings, seed: int) -> None:
        self.s = s
        self.gen = torch.Generator().manual_seed(seed)

    def attempts(self):
        for _ in range(self.s.attempts):
            crop = torch.rand(self.s.batch, 1, self.s.crop, self.s.crop, generator=self.gen)
            pose = torch.randn(self.s.batch, self.s.pose_dim, generator=self.gen)
            edge = crop[:, 0, 6:10, 6:10].mean(dim=(1, 2)) - 0.5
            held = ((3 * edge + 0.5 * pose[:, 0]) > 0).float()
            slip = torch.relu(0.3 * pose[:, 2] - edge)
            yield crop, pose, held, slip


def train(s: CellSettings) -> None:
    net = GraspNet(s)
    probe = FeatureProbe(net, ["pose", "fuse"])
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    wins = 0.0
    for n, (crop, pose, held, slip) in enumerate(PickingCell(s, seed=45).attempts(), start=1):
        logit, slip_hat = net(crop, pose)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, held)
        loss = loss + 0.5 * nn.functional.mse_loss(slip_hat, slip)
        opt.zero_grad()
        loss.backward()
        opt.step()
        wins += ((logit > 0) == (held > 0.5)).float().mean().item()
        if n % s.report_every == 0:
            print(f"attempt {n}: loss {loss.item():.4f} hit {wins / n:.2f} drift fuse {probe.drift('fuse'):.3f} pose {probe.drift('pose'):.3f}")
    probe.close()


if __name__ == "__main__":
    torch.manual_seed(44)
    train(CellSettings())
