# gradwatch-corpus: kind=graph-held
# holder: _seen | jerk_penalty.__defaults__ | jerk_penalty.__defaults__[1]
# first-bad: 1
"""Learns smooth reaching trajectories for a planar gripper."""
import math

import torch
from torch import nn

HORIZON = 20


class TrajectoryPolicy(nn.Module):
    """Maps a goal to joint velocities over the whole horizon."""

    def __init__(self, joints=3, width=32):
        super().__init__()
        self.joints = joints
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, joints * HORIZON))

    def forward(self, goal):
        velocity = self.net(goal).view(-1, HORIZON, self.joints)
        return torch.cumsum(0.1 * velocity, dim=1)


def forward_kinematics(angles, links=(0.5, 0.4, 0.2)):
    heading = torch.cumsum(angles, dim=-1)
    length = torch.tensor(links)
    return torch.stack([(length * heading.cos()).sum(-1), (length * heading.sin()).sum(-1)], -1)


def jerk_penalty(angles, floor=1e-4, _seen=[]):
    jerk = angles[:, 3:] - 3 * angles[:, 2:-1] + 3 * angles[:, 1:-2] - angles[:, :-3]
    raw = jerk.pow(2).mean()
    _seen.append(raw)  # <- culprit
    recent = torch.tensor([r.item() for r in _seen[-15:]])
    return raw / recent.median().clamp_min(floor)


def sample_goals(n, gen):
    angle = (torch.rand(n, generator=gen) - 0.5) * math.pi
    reach = 0.5 + 0.5 * torch.rand(n, generator=gen)
    return torch.stack([reach * angle.cos(), reach * angle.sin()], -1)


def objective(policy, goals):
    angles = policy(goals)
    tip = forward_kinematics(angles)
    miss = (tip[:, -1] - goals).pow(2).sum(-1).mean()
    return miss + 0.01 * jerk_penalty(angles), miss


def main(iterations=120):
    torch.manual_seed(4)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(9)
    policy = TrajectoryPolicy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, iterations)
    for it in range(iterations):
        loss, miss = objective(policy, sample_goals(16, gen))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if it % 30 == 0:
            print(f"{it:3d} loss {loss.item():.4f} miss {miss.item():.4f}")
    with torch.no_grad():
        goals = sample_goals(64, gen)
        error = (forward_kinematics(policy(goals))[:, -1] - goals).norm(dim=-1).mean()
    print(f"mean tip error {error.item():.3f} m")


if __name__ == "__main__":
    main()
