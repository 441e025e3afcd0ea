import torch
import torch.nn as nn
import torch.nn.functional as F

from history import LossHistory


class ValueNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv2d(2, cfg.channels, 3, padding=1)
        self.fc = nn.Linear(cfg.channels * cfg.board ** 2, 1)

    def forward(self, boards):
        h = F.relu(self.conv(boards)).flatten(1)
        return torch.tanh(self.fc(h)).squeeze(-1)


def positions(cfg, pst):
    mine = (torch.rand(cfg.batch, cfg.board, cfg.board) < 0.25).float()
    theirs = (torch.rand_like(mine) < 0.25).float() * (1 - mine)
    score = ((mine - theirs) * pst).sum((1, 2)) / 4
    return torch.stack([mine, theirs], 1), torch.tanh(score)


def fit(cfg):
    pst = torch.randn(cfg.board, cfg.board) + 0.5
    net = ValueNet(cfg)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    history = LossHistory(cfg.keep)
    for step in range(cfg.steps):
        boards, value = positions(cfg, pst)
        pred = net(boards)
        value_loss = F.mse_loss(pred, value)
        gap = pred[::2] - pred[1::2]
        sign = torch.sign(value[::2] - value[1::2])
        rank_loss = 0.1 * F.softplus(-4 * gap * sign).mean()
        opt.zero_grad()
        (value_loss + rank_loss).backward()
        opt.step()
        history.record(value_loss, rank_loss)
        if history.trend() > 0.15:
            for g in opt.param_groups:
                g["lr"] = max(1e-4, g["lr"] * 0.97)
        if step % 90 == 0:
            print(f"{step:4d} value {value_loss.item():.4f} rank {rank_loss.item():.4f} "
                  f"lr {opt.param_groups[0]['lr']:.2e}")
    return history
