import torch
import torch.nn as nn
import torch.nn.functional as F


class RiskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.vitals = nn.Linear(7, 10)
        self.risk = nn.Linear(10, 1)

    def forward(self, x):
        return self.risk(F.elu(self.vitals(x))).squeeze(1)


def clinic_batches(n):
    bias = torch.tensor([-0.5, 0.0, 0.8])
    for k in range(n):
        x = torch.randn(18, 7) + bias[k % 3]
        yield x, ((x[:, 0] + x[:, 4] * x[:, 5]) > bias[k % 3]).float()


class ProximalTrainer:
    def __init__(self, net, strength, momentum):
        self.net = net
        self.strength = strength
        self.momentum = momentum
        self.anchor = {name: p.detach().clone() for name, p in net.named_parameters()}
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def proximal(self):
        return sum(((p - self.anchor[name]) ** 2).sum() for name, p in self.net.named_parameters())

    def move_anchor(self):
        m = self.momentum
        for name, p in self.net.named_parameters():
            self.anchor[name] = torch.lerp(p, self.anchor[name], m)  # <- culprit

    def train_step(self, x, y):
        drift = self.proximal()
        loss = F.binary_cross_entropy_with_logits(self.net(x), y) + self.strength * drift
        self.opt.zero_grad()
        loss.backward()
        self.move_anchor()
        self.opt.step()
        return loss.item(), drift.item()
