from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from objects import Scan


class PointEncoder(nn.Module):
    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, 2 * width), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 6))

    def forward(self, cloud: Tensor) -> Tensor:
        mid = cloud.mean(dim=0)
        feat = self.local(10 * (cloud - mid)).amax(dim=0)
        out = self.head(feat)
        return torch.cat([out[:3] * 0.1 + mid, out[3:]])


class GraspPlanner:
    """Predicts a grasp per scan and remembers it, so that a re-scan can start from it."""

    def __init__(self, lr: float) -> None:
        self.encoder = PointEncoder()
        self.optim = torch.optim.Adam(self.encoder.parameters(), lr=lr)
        self.last_grasp: dict[int, Tensor] = {}

    def predict(self, scan: Scan) -> Tensor:
        grasp = self.encoder(scan.cloud)
        prior = self.last_grasp.get(scan.object_id)
        if prior is not None:
            grasp = 0.7 * grasp + 0.3 * prior.detach()
        self.last_grasp[scan.object_id] = grasp  # <- culprit
        return grasp

    def fit_one(self, scan: Scan) -> dict[str, float]:
        grasp = self.predict(scan)
        pos = F.l1_loss(grasp[:3], scan.grasp[:3])
        rot = F.mse_loss(grasp[3:5], scan.grasp[3:5])
        width = F.mse_loss(grasp[5], scan.grasp[5])
        loss = 5 * pos + rot + width
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return {"pos": pos.item(), "rot": rot.item(), "width": width.item()}

    @torch.no_grad()
    def spread(self) -> float:
        centers = torch.stack([g[:3] for g in self.last_grasp.values()])
        return centers.std(dim=0).mean().item()
