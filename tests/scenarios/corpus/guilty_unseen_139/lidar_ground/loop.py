import torch
from torch import nn


class GroundLoop:
    def __init__(self, listeners, rings=32, azimuths=1024):
        self.listeners = listeners
        self.rings, self.azimuths = rings, azimuths
        self.net = nn.Sequential(nn.Linear(rings, 16), nn.ReLU(), nn.Linear(16, rings))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.slope = torch.linspace(0.5, 1.5, rings)

    def scan(self):
        ground = 10 * self.slope.expand(self.azimuths, -1) + 0.2 * torch.randn(self.azimuths, self.rings)
        bumps = (torch.rand(self.azimuths, self.rings) < 0.1).float()
        return ground - 4 * bumps, bumps

    def run(self, sweeps):
        for i in range(sweeps):
            frame, bumps = self.scan()
            logits = self.net(frame / 10)
            loss = nn.functional.binary_cross_entropy_with_logits(logits, bumps)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for listener in self.listeners:
                listener.sweep(i, frame, loss.item())
