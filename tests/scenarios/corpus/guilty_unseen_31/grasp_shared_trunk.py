# gradwatch-corpus: kind=second-backward
# first-bad: 4
"""Grasp success predictor with an auxiliary pose head.

The pose labels come from the motion-capture rig and only exist for every fifth
batch, so the auxiliary objective is stepped separately.
"""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    d_obs: int = 20
    width: int = 48
    batch: int = 64
    steps: int = 150
    aux_every: int = 5
    aux_weight: float = 0.2
    lr: float = 1e-3


@dataclass
class StepOutput:
    features: torch.Tensor
    success_loss: torch.Tensor


class GraspNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(cfg.d_obs, cfg.width), nn.ELU(),
                                   nn.Linear(cfg.width, cfg.width), nn.ELU())
        self.success = nn.Linear(cfg.width, 1)
        self.pose = nn.Linear(cfg.width, 6)

    def success_loss(self, feats, label):
        return F.binary_cross_entropy_with_logits(self.success(feats).squeeze(1), label)

    def pose_loss(self, feats, pose):
        return F.mse_loss(self.pose(feats), pose)


class GraspRig:
    def __init__(self, cfg):
        self.W = torch.randn(cfg.d_obs, 6) / cfg.d_obs ** 0.5
        self.cfg = cfg

    def sample(self):
        obs = torch.randn(self.cfg.batch, self.cfg.d_obs)
        pose = torch.tanh(obs @ self.W)
        ok = (pose[:, :3].sum(1) + 0.2 * torch.randn(len(obs)) > 0).float()
        return obs, ok, pose


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = GraspNet(cfg)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)

    def main_step(self, obs, ok):
        feats = self.net.trunk(obs)
        loss = self.net.success_loss(feats, ok)
        loss.backward()  # <- culprit
        return StepOutput(feats, loss.detach())  # <- culprit

    def aux_step(self, out, pose):
        aux = self.cfg.aux_weight * self.net.pose_loss(out.features, pose)  # <- culprit
        aux.backward()  # <- culprit
        return aux.item()

    def update(self, it, obs, ok, pose):
        self.optim.zero_grad()
        out = self.main_step(obs, ok)
        aux = None
        if (it + 1) % self.cfg.aux_every == 0:
            aux = self.aux_step(out, pose)
        self.optim.step()
        return out.success_loss.item(), aux


def main():
    torch.manual_seed(3)
    cfg = Config()
    rig, learner = GraspRig(cfg), Learner(cfg)
    for it in range(cfg.steps):
        loss, aux = learner.update(it, *rig.sample())
        if it % 2 == 0:
            tail = "" if aux is None else f"  pose {aux:.4f}"
            print(f"it {it:3d}  success {loss:.4f}{tail}", flush=True)


if __name__ == "__main__":
    main()
