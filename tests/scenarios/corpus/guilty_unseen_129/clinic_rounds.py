# gradwatch-corpus: kind=graph-held
# holder: server.ledger | self.ledger | server.ledger[0].reports | report.closing
# first-bad: 6
# notice: 8
import copy
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)


@dataclass
class Report:
    site: str
    weight: float
    state: dict
    closing: torch.Tensor


@dataclass
class RoundEntry:
    number: int
    reports: list


class Triage(nn.Module):
    def __init__(self, vitals=8, hidden=16):
        super().__init__()
        self.gru = nn.GRU(vitals, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)

    def forward(self, series):
        _, h = self.gru(series)
        return self.out(h[-1])


class Clinic:
    local_steps = 6

    def __init__(self, name, bias):
        self.name, self.bias = name, bias
        self.gen = torch.Generator().manual_seed(len(name))

    def draw(self):
        x = torch.randn(16, 5, 8, generator=self.gen) + self.bias
        y = (x[:, -1, 0] + x[:, 0, 1] > 2 * self.bias).long()
        return x, y

    def train(self, global_model):
        local = copy.deepcopy(global_model)
        opt = torch.optim.SGD(local.parameters(), lr=0.1)
        for _ in range(self.local_steps):
            x, y = self.draw()
            opt.zero_grad()
            objective = nn.functional.cross_entropy(local(x), y)
            objective.backward()
            opt.step()
        return Report(self.name, 16.0 * self.local_steps, local.state_dict(), objective)  # <- culprit


class Server:
    def __init__(self, clinics):
        self.model = Triage()
        self.clinics = clinics
        self.ledger = []

    def merge(self, reports):
        total = sum(r.weight for r in reports)
        merged = {}
        for key in reports[0].state:
            merged[key] = sum(r.state[key] * (r.weight / total) for r in reports)
        self.model.load_state_dict(merged)
        for r in reports:
            r.state = {}

    def round(self, number):
        reports = [c.train(self.model) for c in self.clinics]
        self.merge(reports)
        self.ledger.append(RoundEntry(number, reports))  # <- culprit

    def curve(self):
        return [round(sum(r.closing.item() for r in e.reports) / len(e.reports), 3) for e in self.ledger]


server = Server([Clinic("north", 0.0), Clinic("harbour", 0.4), Clinic("hill-top", -0.3)])
for number in range(40):
    server.round(number)
print(server.curve()[::8])
