import torch
from torch import nn
from torch.nn import functional as F


class Displacer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.lift = nn.Linear(3, 32)
        self.code = nn.Linear(32, cfg.code)
        self.move = nn.Linear(3 + cfg.code, 3)

    def forward(self, verts):
        h = F.elu(self.lift(verts))
        code = self.code(h).mean(1, keepdim=True)
        code = torch.tanh(code).expand(-1, verts.size(1), -1)
        return verts + self.move(torch.cat([verts, code], dim=-1))


class MeshTrainer:
    def __init__(self, cfg, scans, callbacks):
        self.model = Displacer(cfg)
        self.scans = scans
        self.callbacks = callbacks
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.last = float("inf")

    def fit(self, steps):
        for step in range(steps):
            noisy, clean = self.scans.next()
            moved = self.model(noisy)
            loss = F.mse_loss(moved, clean)
            self.callbacks.on_forward_end(self, step)  # <- culprit
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.last = loss.item()
            self.callbacks.on_step_end(self, step)
