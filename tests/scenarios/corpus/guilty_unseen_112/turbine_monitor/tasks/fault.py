import torch
import torch.nn.functional as F
from torch import nn

from core.engine import Task


class SpectrumNet(nn.Module):
    def __init__(self, bins, classes):
        super().__init__()
        self.norm = nn.LayerNorm(bins)
        self.mlp = nn.Sequential(nn.Linear(bins, 48), nn.GELU(), nn.Linear(48, 32), nn.GELU())
        self.out = nn.Linear(32, classes)

    def forward(self, wave):
        spec = torch.fft.rfft(wave).abs()
        return self.out(self.mlp(self.norm(torch.log1p(spec))))


class FaultTask(Task):
    name = "fault"
    weight = 0.5

    def __init__(self, plant):
        self.plant = plant
        self.net = SpectrumNet(65, plant.n_faults)

    def batch(self, n):
        return self.plant.vibration(n)

    def loss(self, batch):
        wave, fault = batch
        return F.cross_entropy(self.net(wave), fault)
