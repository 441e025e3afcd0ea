# gradwatch-corpus: kind=graph-chain
# holder: self.priority | sampler.priority | sampler | gauge_sampler.priority
# first-bad: 1
# notice: 70
# also: retain-needless
"""Harmonic tide model fitted on gauges drawn in proportion to their recent error."""
import math

import torch
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

from metrics import MeanSkill, PeakError
from optim import SignMomentum
from sampling import GaugeSampler

torch.set_num_threads(1)
torch.manual_seed(41)

PERIODS_H = (12.4206, 12.0, 12.6583, 23.9345, 25.8193)
N_GAUGES, HOURS = 14, 72


class GaugeRecords(Dataset):
    def __init__(self):
        g = torch.Generator().manual_seed(7)
        self.hours = torch.arange(HOURS, dtype=torch.float32)
        amp = torch.rand(N_GAUGES, len(PERIODS_H), generator=g) + 0.2
        phase = 2 * math.pi * torch.rand(N_GAUGES, len(PERIODS_H), generator=g)
        omega = 2 * math.pi / torch.tensor(PERIODS_H)
        arg = self.hours[None, :, None] * omega + phase[:, None, :]
        noise = 0.05 * torch.randn(N_GAUGES, HOURS, generator=g)
        self.level = (amp[:, None, :] * arg.cos()).sum(-1) + noise

    def __len__(self):
        return N_GAUGES

    def __getitem__(self, i):
        return i, self.hours, self.level[i]


class Harmonics(torch.nn.Module):
    def __init__(self):
        super().__init__()
        k = len(PERIODS_H)
        self.register_buffer("omega", 2 * math.pi / torch.tensor(PERIODS_H))
        self.cos_part = torch.nn.Embedding(N_GAUGES, k)
        self.sin_part = torch.nn.Embedding(N_GAUGES, k)
        self.datum = torch.nn.Parameter(torch.zeros(N_GAUGES))

    def forward(self, gauge, hours):
        arg = hours.unsqueeze(-1) * self.omega
        wave = arg.cos() * self.cos_part(gauge)[:, None] + arg.sin() * self.sin_part(gauge)[:, None]
        return wave.sum(-1) + self.datum[gauge][:, None]


def main():
    records = GaugeRecords()
    sampler = GaugeSampler(len(records), per_draw=6, draws=90)
    loader = DataLoader(records, batch_sampler=sampler)
    model = Harmonics()
    optimiser = SignMomentum(model.parameters(), lr=0.03, beta=0.85)
    schedule = LambdaLR(optimiser, lambda n: 1.0 if n < 30 else 30.0 / n)
    skill, peak = MeanSkill(), PeakError()

    for n, (gauge, hours, level) in enumerate(loader):
        optimiser.zero_grad()
        predicted = model(gauge, hours)
        misfit = (predicted - level).square().mean(dim=1)
        loss = (misfit * sampler.correction(gauge)).mean()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        sampler.observe(gauge, misfit)  # <- culprit
        skill.update(predicted.detach(), level)
        peak.update(predicted.detach(), level)
        if n % 15 == 14:
            print(f"{n:3d} loss {loss.item():.4f} skill {skill.compute():.3f} peak {peak.compute():.3f}")
            skill.reset()
            peak.reset()


if __name__ == "__main__":
    main()
