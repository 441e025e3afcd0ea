import torch
from torch import nn

from meters import Board, ema, peak


class VibrationAE(nn.Module):
    def __init__(self, n_in, code=5):
        super().__init__()
        self.down = nn.Sequential(nn.Linear(n_in, 16), nn.ELU(), nn.Linear(16, code))
        self.up = nn.Sequential(nn.Linear(code, 16), nn.ELU(), nn.Linear(16, n_in))

    def residual(self, x):
        return (self.up(self.down(x)) - x).pow(2).mean(-1)


class AlarmMixin:
    factor = 3.0
    alarms = 0

    def judge(self, err):
        level = self.board.push(recon=err.mean(), worst=err.max())["recon"]  # <- culprit
        self.alarms += int((err > self.factor * level).sum())


class TurbineWatch(AlarmMixin):
    def __init__(self, n_in, lr):
        self.net = VibrationAE(n_in)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.board = Board(recon=ema(0.95, start=0.5), worst=peak())

    def tick(self, batch):
        err = self.net.residual(batch)
        self.opt.zero_grad()
        err.mean().backward()
        self.opt.step()
        self.judge(err)  # <- culprit
