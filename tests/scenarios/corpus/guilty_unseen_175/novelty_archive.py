# gradwatch-corpus: kind=graph-held
# holder: self.points | archive.points
# first-bad: 1
"""Gradient-assisted novelty search: a generator of gaits is refined and its behaviours archived."""
import torch
from torch import nn


class Gait(nn.Module):
    def __init__(self, latent=6, hidden=32, horizon=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, 2 * horizon))
        self.horizon = horizon

    def forward(self, z):
        return torch.tanh(self.net(z)).view(-1, self.horizon, 2)


def simulate(actions, dt=0.1):
    """Point mass with drag, pushed by the action sequence."""
    pos = actions.new_zeros(actions.shape[0], 2)
    vel = actions.new_zeros(actions.shape[0], 2)
    for a in actions.unbind(1):
        vel = 0.9 * vel + dt * a
        pos = pos + vel
    return pos


class Archive:
    """Behaviour descriptors found so far, with the coverage of a grid over them."""

    def __init__(self, cells=12, extent=4.0):
        self.points = []
        self.cells = cells
        self.extent = extent

    def add(self, behaviour):
        self.points.append(behaviour.mean(dim=0))  # <- culprit

    def __len__(self):
        return len(self.points)

    @torch.no_grad()
    def coverage(self):
        if not self.points:
            return 0.0
        pts = torch.stack(self.points)
        idx = ((pts / self.extent + 1) * 0.5 * self.cells).long().clamp(0, self.cells - 1)
        return len({(int(i), int(j)) for i, j in idx}) / self.cells ** 2


class Search:
    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.gait = Gait()
        self.archive = Archive()
        self.opt = torch.optim.RMSprop(self.gait.parameters(), lr=1e-3)
        self.goal_angle = 0.0

    def goal(self):
        self.goal_angle += 0.05
        a = torch.tensor(self.goal_angle)
        return 2.0 * torch.stack([a.cos(), a.sin()])

    def generation(self, pop=24):
        z = torch.randn(pop, 6)
        actions = self.gait(z)
        reached = simulate(actions)
        effort = actions.pow(2).mean()
        loss = (reached - self.goal()).norm(dim=1).mean() + 0.1 * effort
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.archive.add(reached)
        return loss.item()


if __name__ == "__main__":
    search = Search(seed=4)
    for gen in range(420):
        value = search.generation()
        if gen % 70 == 0:
            print(f"gen {gen}: loss {value:.3f}, archive {len(search.archive)}, "
                  f"coverage {search.archive.coverage():.3f}")
