# gradwatch-corpus: kind=none
import torch
import torch.nn as nn


class TwoTank:
    """Differentiable two-tank process with an inflow valve."""

    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.level = 0.5 * torch.rand(self.n, 2)
        self.goal = 0.3 + 0.5 * torch.rand(self.n, 1)

    def advance(self, u, dt=0.1):
        q12 = torch.sqrt(self.level[:, :1].clamp(min=1e-3))
        q2 = torch.sqrt(self.level[:, 1:].clamp(min=1e-3))
        d = torch.cat([u - q12, q12 - q2], 1)
        self.level = self.level + dt * d
        return self.level

    def cut(self):
        self.level = self.level.detach()


class Controller(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(3, hidden)
        self.valve = nn.Linear(hidden, 1)
        self.hidden = hidden
        self.memory = None

    def start(self, n):
        self.memory = torch.zeros(n, self.hidden)

    def forward(self, level, goal):
        self.memory = self.cell(torch.cat([level, goal], 1), self.memory)
        return torch.sigmoid(self.valve(self.memory)) * 1.5


class SegmentTrainer:
    def __init__(self, plant, controller, segment=8, episode=80):
        self.plant, self.controller = plant, controller
        self.segment, self.episode = segment, episode
        self.opt = torch.optim.RMSprop(controller.parameters(), lr=1e-3)
        self.cost = 0.0
        self.costs = []

    def tick(self, t):
        if t % self.episode == 0:
            self.plant.reset()
            self.controller.start(self.plant.n)
        u = self.controller(self.plant.level, self.plant.goal)
        level = self.plant.advance(u)
        self.cost = self.cost + (level[:, 1:] - self.plant.goal).pow(2).mean() + 1e-3 * u.pow(2).mean()
        if (t + 1) % self.segment == 0:
            self.opt.zero_grad()
            self.cost.backward()
            nn.utils.clip_grad_norm_(self.controller.parameters(), 1.0)
            self.opt.step()
            self.costs.append(self.cost.item() / self.segment)
            self.cost = 0.0
            self.plant.cut()
            self.controller.memory = self.controller.memory.detach()


def main():
    torch.manual_seed(64)
    trainer = SegmentTrainer(TwoTank(16), Controller())
    for t in range(3600):
        trainer.tick(t)
        if t % 720 == 719:
            print(f"t {t} segments {len(trainer.costs)} cost {sum(trainer.costs[-20:]) / 20:.4f}")


if __name__ == "__main__":
    main()
