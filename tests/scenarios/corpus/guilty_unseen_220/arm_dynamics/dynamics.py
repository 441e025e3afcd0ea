import torch
from torch import nn


class DynamicsNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(8, hidden),
            nn.ELU(),
            nn.Linear(hidden, hidden),
            nn.ELU(),
        )
        self.mean = nn.Linear(hidden, 4)
        self.log_std = nn.Linear(hidden, 4)

    def forward(self, state, torque):
        angles = state[:, :2]
        feats = torch.cat([angles.sin(), angles.cos(), state[:, 2:], torque], dim=1)
        h = self.trunk(feats)
        return self.mean(h), self.log_std(h).clamp(-5, 1)


def rollout_arm(n, gen, dt=0.05):
    q = (torch.rand(n, 2, generator=gen) * 2 - 1) * 3.0
    qd = torch.randn(n, 2, generator=gen)
    tau = torch.randn(n, 2, generator=gen) * 2
    c2 = torch.cos(q[:, 1])
    m11 = 1.5 + c2
    m12 = 0.5 + 0.5 * c2
    m22 = torch.full_like(c2, 0.5)
    det = m11 * m22 - m12 * m12 + 0.1
    h = 0.5 * torch.sin(q[:, 1])
    rhs1 = tau[:, 0] + h * qd[:, 1] * (2 * qd[:, 0] + qd[:, 1]) - 0.3 * qd[:, 0]
    rhs2 = tau[:, 1] - h * qd[:, 0].pow(2) - 0.3 * qd[:, 1]
    acc1 = (m22 * rhs1 - m12 * rhs2) / det
    acc2 = (m11 * rhs2 - m12 * rhs1) / det
    acc = torch.stack([acc1, acc2], dim=1)
    new_qd = qd + dt * acc
    new_q = q + dt * new_qd
    return torch.cat([q, qd], 1), tau, torch.cat([new_q, new_qd], 1)
