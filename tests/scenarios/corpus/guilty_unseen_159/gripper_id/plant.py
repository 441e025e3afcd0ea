from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class PlantConfig:
    joints: int = 2
    batch: int = 8
    horizon: int = 12
    dt: float = 0.05


class Plant(nn.Module):
    def __init__(self, cfg, guard):
        super().__init__()
        self.cfg, self.guard = cfg, guard
        self.torque = nn.Sequential(nn.Linear(3 * cfg.joints, 32), nn.Tanh(), nn.Linear(32, cfg.joints))
        self.log_gain = nn.Parameter(torch.zeros(cfg.joints))

    def _advance(self, q, dq, u):
        tau = self.torque(torch.cat([q, dq, u], -1))
        dq = dq + self.cfg.dt * (tau + self.log_gain.exp() * u)
        return q + self.cfg.dt * dq, dq, tau

    def _audit(self, taus):
        effort = torch.stack(taus, 1)
        with self.guard as g:
            g.check(effort)

    def rollout(self, u):
        q = dq = u.new_zeros(u.shape[0], self.cfg.joints)
        qs, taus = [], []
        for k in range(u.shape[1]):
            q, dq, tau = self._advance(q, dq, u[:, k])
            qs.append(q)
            taus.append(tau)
        self._audit(taus)
        return torch.stack(qs, 1)
