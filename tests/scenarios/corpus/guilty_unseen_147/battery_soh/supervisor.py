import torch
from torch import nn

from guard import SpikeDetected


class Supervisor:
    def __init__(self, fleet, guard):
        self.fleet, self.guard = fleet, guard
        self.net = nn.Sequential(nn.Linear(fleet.window, 16), nn.Tanh(), nn.Linear(16, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.004, momentum=0.5)
        self.incidents = []

    def _objective(self):
        volts, soh = self.fleet.sample(8)
        return (self.net(volts - 3.5).squeeze(1) - soh).pow(2).mean()

    def _vetted(self, objective):
        try:
            self.guard.inspect(objective)
        except SpikeDetected as err:
            self.incidents.append(err)  # <- culprit
            return objective * (err.level / err.value)
        return objective

    def run(self, n):
        for _ in range(n):
            objective = self._vetted(self._objective())
            self.opt.zero_grad()
            objective.backward()
            self.opt.step()

    def report(self):
        worst = max(self.incidents, key=lambda e: e.value, default=None)
        return f"{len(self.incidents)} incidents, worst: {worst}"
