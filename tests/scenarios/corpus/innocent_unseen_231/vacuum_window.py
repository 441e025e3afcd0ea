# gradwatch-corpus: kind=none
"""Vacuum robot guesses its room position from bumper hits; learns online, 6 ticks at a time."""
import torch
import torch.nn as nn


class Vacuum:
    window = 6

    def __init__(self, seed):
        torch.manual_seed(seed)
        self.cell = nn.GRUCell(6, 24)
        self.guess = nn.Linear(24, 2)
        self.params = list(self.cell.parameters()) + list(self.guess.parameters())
        self.optim = torch.optim.Adagrad(self.params, lr=0.03)
        self.h = torch.zeros(1, 24)
        self.guesses = []
        self.places = []
        self.running = 0
        self.pos = torch.tensor([0.5, 0.5])
        self.vel = torch.tensor([0.05, 0.03])
        self.best = None
        self.best_loss = float("inf")

    def drive(self):
        nxt = self.pos + self.vel
        bump = torch.zeros(4)
        for axis in range(2):
            if nxt[axis] < 0:
                bump[2 * axis] = 1
                self.vel[axis] = abs(self.vel[axis])
            elif nxt[axis] > 1:
                bump[2 * axis + 1] = 1
                self.vel[axis] = -abs(self.vel[axis])
        self.vel = (self.vel + 0.004 * torch.randn(2)).clamp(-0.08, 0.08)
        self.pos = (self.pos + self.vel).clamp(0, 1)
        return torch.cat([bump, self.vel * 10]).unsqueeze(0), self.pos.clone()

    def tick(self):
        sensed, place = self.drive()
        self.h = self.cell(sensed, self.h)
        self.guesses.append(self.guess(self.h))
        self.places.append(place)
        if len(self.guesses) == self.window:
            self.learn()

    def learn(self):
        g = torch.cat(self.guesses)
        p = torch.stack(self.places)
        loss = ((g - p) ** 2).sum(1).mean()
        smooth = (g[1:] - g[:-1]).pow(2).sum(1).mean()
        total = loss + 0.1 * smooth
        self.optim.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.params, 1.0)
        self.optim.step()
        self.running += loss.detach()
        if loss.item() < self.best_loss:
            self.best_loss = loss.item()
            self.best = [p.detach().clone() for p in self.params]
        self.guesses = []
        self.places.clear()
        self.h.detach_()


robot = Vacuum(seed=10)
for t in range(900):
    robot.tick()
    if (t + 1) % 180 == 0:
        print("tick", t + 1, "error", round(float(robot.running) / 30, 4), "best", round(robot.best_loss, 5))
        robot.running = 0
