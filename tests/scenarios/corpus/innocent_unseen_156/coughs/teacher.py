import copy

import torch
from torch import nn


class SpectralNet(nn.Module):
    def __init__(self, n=64):
        super().__init__()
        self.window = nn.Parameter(torch.hann_window(n))
        self.norm = nn.BatchNorm1d(n // 2 + 1)
        self.mlp = nn.Sequential(nn.Linear(n // 2 + 1, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1))

    def forward(self, x):
        spec = torch.fft.rfft(x * self.window).abs()
        return self.mlp(self.norm(torch.log1p(spec))).squeeze(1)


class MeanTeacher(nn.Module):
    def __init__(self, student, decay):
        super().__init__()
        self.net = copy.deepcopy(student)
        self.decay = decay
        for p in self.net.parameters():
            p.requires_grad = False
        self.net.eval()

    def follow(self, student):
        mine, theirs = self.net.state_dict(), student.state_dict()
        mixed = {}
        for k, v in mine.items():
            w = theirs[k]
            mixed[k] = self.decay * v + (1 - self.decay) * w if v.is_floating_point() else w.clone()
        self.net.load_state_dict(mixed)

    def forward(self, x):
        return self.net(x)
