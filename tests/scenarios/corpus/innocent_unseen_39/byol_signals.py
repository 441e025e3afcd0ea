# gradwatch-corpus: kind=none
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Projector(nn.Sequential):
    def __init__(self, n_in, n_out=24):
        super().__init__(nn.Linear(n_in, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, n_out))


class MovingAverage:
    """moving average of a scalar, for the log"""

    def __init__(self, beta=0.95):
        self.beta = beta
        self.value = None

    @torch.no_grad()
    def update(self, loss):
        self.value = loss if self.value is None else self.beta * self.value + (1 - self.beta) * loss
        return self.value


class BYOL(nn.Module):
    def __init__(self, n_in, tau=0.99):
        super().__init__()
        self.online = Projector(n_in)
        self.target = copy.deepcopy(self.online)
        self.predictor = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 24))
        self.center = torch.zeros(24)
        self.tau = tau

    def update_target(self, step, total):
        tau = 1 - (1 - self.tau) * (math.cos(math.pi * step / total) + 1) / 2
        with torch.no_grad():
            for online, target in zip(self.online.parameters(), self.target.parameters()):
                target.copy_(tau * target + (1 - tau) * online)

    @torch.no_grad()
    def project_target(self, x):
        z = self.target(x)
        self.center = 0.9 * self.center + 0.1 * z.mean(0)
        return F.normalize(z - self.center, dim=-1)

    def forward(self, a, b):
        loss = 0
        for x, y in ((a, b), (b, a)):
            p = F.normalize(self.predictor(self.online(x)), dim=-1)
            loss += 2 - 2 * (p * self.project_target(y)).sum(-1)
        return loss.mean()


def signals(n, length=40):
    t = torch.linspace(0, 1, length)
    freq = torch.randint(1, 6, (n, 1)).float()
    phase = 2 * math.pi * torch.rand(n, 1)
    return torch.sin(2 * math.pi * freq * t + phase), freq.squeeze(1).long() - 1


def augment(x):
    gain = 1 + 0.2 * torch.randn(len(x), 1)
    shift = int(torch.randint(0, 6, (1,)))
    return gain * torch.roll(x, shift, dims=1) + 0.1 * torch.randn_like(x)


def knn_accuracy(model, n=300):
    with torch.no_grad():
        xa, ya = signals(n)
        xb, yb = signals(n)
        sim = F.normalize(model.online(xa), dim=-1) @ F.normalize(model.online(xb), dim=-1).T
        return (yb[sim.argmax(1)] == ya).float().mean().item()


def pretrain(steps=100):
    model = BYOL(40)
    optimizer = torch.optim.Adam([*model.online.parameters(), *model.predictor.parameters()], lr=2e-3)
    loss_ema = MovingAverage()
    curve = []
    for step in range(steps):
        x, _ = signals(64)
        loss = model(augment(x), augment(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.update_target(step, steps)
        curve.append(loss_ema.update(loss.detach()))
        if step % 20 == 0:
            print("step %3d  loss %.4f  knn %.3f" % (step, curve[-1], knn_accuracy(model)))
    return torch.stack(curve)


if __name__ == "__main__":
    torch.manual_seed(6)
    curve = pretrain()
    print("loss from %.4f to %.4f" % (curve[0], curve[-1]))
