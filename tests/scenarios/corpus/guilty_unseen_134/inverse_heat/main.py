# gradwatch-corpus: kind=crashed
# holder: profile | at_sensors
# first-bad: 150
# notice: 0
"""Identify the diffusivity of a rod from thermocouples, physics first and sensors afterwards."""
import torch

torch.set_num_threads(1)

from model import RodNet
from losses import equation_loss, boundary_loss, sensor_loss
from data import thermocouples


class Phase:
    def __init__(self, name, steps, lr, terms):
        self.name, self.steps, self.lr, self.terms = name, steps, lr, terms


SCHEDULE = [
    Phase("physics", 150, 3e-3, (equation_loss, boundary_loss)),
    Phase("assimilate", 150, 1e-3, (sensor_loss,)),
    Phase("polish", 150, 1e-3, (equation_loss, boundary_loss, sensor_loss)),
]


def train(net, obs):
    for phase in SCHEDULE:
        opt = torch.optim.Adam(net.parameters(), lr=phase.lr)
        for k in range(phase.steps):
            total = sum(term(net, obs) for term in phase.terms)
            opt.zero_grad()
            total.backward()
            opt.step()
        print(phase.name, float(total), float(net.kappa))


if __name__ == "__main__":
    torch.manual_seed(0)
    train(RodNet(width=20), thermocouples(n_times=6, n_sensors=7))
