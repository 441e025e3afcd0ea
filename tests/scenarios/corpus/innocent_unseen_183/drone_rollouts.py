# gradwatch-corpus: kind=none
"""Model-based control: a policy is differentiated through short rollouts of a drone model."""
import torch
from torch import nn

DT = 0.05
HORIZON = 24


class Drone:
    """Planar double integrator with drag."""

    def __init__(self, drag=0.3):
        self.drag = drag

    def step(self, pos, vel, thrust):
        vel = vel + DT * (thrust - self.drag * vel)
        return pos + DT * vel, vel


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, pos, vel, goal):
        return 4 * self.net(torch.cat([pos, vel, goal], -1))


def rollout(policy, drone, pos, vel, goal):
    """Yields (partial objective, state) after every control step."""
    visited = []
    objective = torch.zeros(())
    for t in range(HORIZON):
        pos, vel = drone.step(pos, vel, policy(pos, vel, goal))
        visited.append((pos, vel))
        weight = (t + 1) / HORIZON
        objective = objective + weight * (pos - goal).pow(2).sum(-1).mean()
        if t >= 4:
            lag_pos, _ = visited[t - 4]
            objective = objective + 0.02 * (pos - lag_pos).pow(2).sum(-1).mean()
        yield objective, (pos, vel)


class Goals:
    def __init__(self, seed, batch):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch = batch

    def draw(self):
        start = torch.randn(self.batch, 2, generator=self.gen)
        return start, torch.zeros_like(start), torch.randn(self.batch, 2, generator=self.gen)


def main(updates=400):
    torch.manual_seed(30)
    policy, drone, goals = Policy(), Drone(), Goals(30, 8)
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    previous = None
    for u in range(updates):
        pos, vel, goal = goals.draw()
        if previous is not None and u % 3:
            pos, vel = (s.detach() for s in previous)
        for objective, state in rollout(policy, drone, pos, vel, goal):
            pass
        opt.zero_grad()
        objective.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()
        previous = state
        if u % 50 == 0:
            print(f"update {u} objective {objective.item():.3f}")


if __name__ == "__main__":
    main()
