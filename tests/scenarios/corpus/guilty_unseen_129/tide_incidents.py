# gradwatch-corpus: kind=graph-held
# holder: desk.incidents | self.incidents | desk.incidents[0].error | error.__traceback__
# first-bad: 5
# notice: 8
import dataclasses

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)


class SurgeOutOfRange(RuntimeError):
    pass


@dataclasses.dataclass
class Incident:
    step: int
    station: int
    error: Exception


class IncidentDesk:
    def __init__(self):
        self.incidents = []

    def file(self, step, station, error):
        self.incidents.append(Incident(step, station, error))  # <- culprit

    def count(self):
        return len(self.incidents)


class TideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.harmonics = nn.Linear(8, 18)
        self.mix = nn.Bilinear(18, 2, 12)
        self.level = nn.Linear(12, 1)

    def forward(self, phases, weather):
        h = torch.sin(self.harmonics(phases))
        return self.level(torch.relu(self.mix(h, weather))).squeeze(1)


class Stations:
    def __iter__(self):
        step = 0
        while True:
            phases = torch.rand(20, 8) * 6.28
            weather = torch.randn(20, 2)
            if step % 5 == 4:
                weather[0] *= 60.0
            target = phases[:, 0].cos() + 0.3 * weather.clamp(-3, 3)[:, 0]
            yield step % 4, phases, weather, target
            step += 1


class Gauge:
    def __init__(self, limit):
        self.limit = limit

    def strict(self, net, phases, weather, target):
        level = net(phases, weather)
        gap = (level - target).square()
        if weather.abs().max() > self.limit:
            raise SurgeOutOfRange(f"surge {float(weather.abs().max()):.1f}")
        return gap.mean()

    def lenient(self, net, phases, weather, target):
        return F.l1_loss(net(phases, weather.clamp(-3, 3)), target)


class Operator:
    def __init__(self, desk):
        self.net = TideNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.gauge = Gauge(limit=8.0)
        self.desk = desk

    def objective(self, step, station, *batch):
        try:
            return self.gauge.strict(self.net, *batch)
        except SurgeOutOfRange as exc:
            self.desk.file(step, station, exc)
            return self.gauge.lenient(self.net, *batch)

    def work(self, steps):
        for step, (station, *batch) in enumerate(Stations()):
            if step == steps:
                break
            loss = self.objective(step, station, *batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


desk = IncidentDesk()
print("loss", round(Operator(desk).work(450), 4), "incidents", desk.count())
