import torch
from torch import nn
import torch.nn.functional as F


class Judge:
    def __init__(self, name, view, width):
        self.name = name
        self.view = view
        self.net = nn.Sequential(nn.Linear(len(view), width), nn.LeakyReLU(0.2), nn.Linear(width, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3, betas=(0.5, 0.99))
        self.history = []
        self.confidence = torch.tensor(0.0)

    def score(self, samples):
        return self.net(samples[:, self.view])

    def learn(self, real, fake):
        up, down = self.score(real), self.score(fake.detach())
        loss = F.softplus(-up).mean() + F.softplus(down).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.confidence = 0.9 * self.confidence + 0.1 * (up.mean() - down.mean()).detach()
        self.history.append(loss.detach())

    def push_back(self, fake):
        for p in self.net.parameters():
            p.requires_grad_(False)
        out = F.softplus(-self.score(fake)).mean()
        for p in self.net.parameters():
            p.requires_grad_(True)
        return out


class Team:
    def __init__(self, judges):
        self.judges = {j.name: j for j in judges}

    def learn(self, real, fake):
        for judge in self.judges.values():
            judge.learn(real, fake)

    def guidance(self, fake):
        """Gradient of every judge in turn with respect to the same fakes."""
        judges = list(self.judges.values())
        total = 0.0
        for i, judge in enumerate(judges):
            loss = judge.push_back(fake) * torch.exp(-judge.confidence.clamp(0, 2)) / len(judges)
            loss.backward(retain_graph=i + 1 < len(judges))
            total += loss.item()
        return total
