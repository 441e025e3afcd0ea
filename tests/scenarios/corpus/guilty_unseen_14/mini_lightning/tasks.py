"""The data stream and the model."""
import math

import torch
from torch import nn

from engine import TaskModule


class InverseArm:
    """Endless batches of (end effector position, joint angles)."""

    def __init__(self, batch_size, links):
        self.batch_size = batch_size
        self.l1, self.l2 = links
        self.gen = torch.Generator().manual_seed(5)

    def __iter__(self):
        while True:
            q = torch.rand(self.batch_size, 2, generator=self.gen) * math.pi
            x = self.l1 * torch.cos(q[:, 0]) + self.l2 * torch.cos(q.sum(1))
            y = self.l1 * torch.sin(q[:, 0]) + self.l2 * torch.sin(q.sum(1))
            yield torch.stack((x, y), 1), q


class MixtureDensity(TaskModule):
    def __init__(self, hidden, components):
        super().__init__()
        self.k = components
        self.body = nn.Sequential(nn.Linear(2, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.head = nn.Linear(hidden, components * 5)

    def forward(self, x):
        out = self.head(self.body(x)).view(-1, self.k, 5)
        return out[..., 0].log_softmax(-1), out[..., 1:3], out[..., 3:5].clamp(-5, 3)

    def training_step(self, batch, step):
        x, q = batch
        log_pi, mu, log_sigma = self(x)
        z = (q.unsqueeze(1) - mu) * torch.exp(-log_sigma)
        comp = -0.5 * z.square() - log_sigma - 0.5 * math.log(2 * math.pi)
        nll = -torch.logsumexp(log_pi + comp.sum(-1), dim=1).mean()
        err = (mu.detach()[:, 0] - q).abs().mean()
        self.log("train/nll", nll, weight=len(x))  # <- culprit
        self.log("train/first_mode_err", err.item(), weight=len(x))
        return nll

    def configure_optimizer(self):
        return torch.optim.Adam(self.parameters(), lr=1e-4)
