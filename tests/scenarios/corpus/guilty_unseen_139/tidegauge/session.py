import math

import torch


def gauge(hours, stations=4):
    phase = torch.rand(stations) * 6
    for h in range(hours):
        wind = torch.randn(stations)
        tide = torch.sin(2 * math.pi * h / 12.4 + phase)
        pressure = torch.randn(stations)
        level = 0.7 * tide + 0.2 * wind - 0.1 * pressure
        yield torch.stack([tide, wind, pressure], 1), level


class Session:
    def __init__(self, model, lr):
        self.model, self.lr = model, lr

    def assimilate(self, forcing, level):
        self.model.zero_grad()
        loss = (self.model(forcing) - level).pow(2).mean()
        loss.backward(retain_graph=True)
        for p in self.model.parameters():
            p.data.add_(p.grad.clamp(-1, 1), alpha=-self.lr)
        return loss.item()
