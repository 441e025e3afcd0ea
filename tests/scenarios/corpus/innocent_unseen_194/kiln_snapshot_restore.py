# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn

torch.manual_seed(210)


class Plant:
    """Linear thermal model of a kiln with several zones."""

    def __init__(self, zones=5):
        self.leak = 0.04
        self.coupling = torch.eye(zones).roll(1, 0) * 0.1
        self.heat = torch.full((zones,), 0.2)
        self.time = 0
        self.log = []

    def apply(self, power, ambient):
        flow = self.heat @ self.coupling - 0.1 * self.heat
        self.heat = self.heat + 0.1 * power + flow - self.leak * (self.heat - ambient)
        self.time += 1
        self.log.append(self.heat)
        return self.heat

    def snapshot(self):
        return copy.deepcopy(self.__dict__)

    def restore(self, saved):
        self.__dict__.update(copy.deepcopy(saved))


class Controller(nn.Module):
    """Open-loop power schedule, linear in bumps over the time of the firing."""

    def __init__(self, zones=5, bumps=9):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0, 40, bumps))
        self.schedule = nn.Linear(bumps + 1, zones)

    def forward(self, time, target):
        bumps = torch.exp(-0.5 * ((time - self.centres) / 4.0) ** 2)
        return nn.functional.softplus(self.schedule(torch.cat([bumps, target.view(1)])))


def main(updates=480):
    plant = Plant()
    controller = Controller()
    optimizer = torch.optim.Adam(controller.parameters(), lr=3e-3)
    cold = plant.snapshot()
    target = torch.tensor(1.0)
    finished = []
    horizon = 25

    for update in range(updates):
        power = controller(plant.time, target)
        ambient = 0.1 + 0.02 * torch.randn(())
        heat = plant.apply(power, ambient)
        curve = target * (1 - torch.exp(torch.tensor(-plant.time / 10.0)))
        loss = (heat - curve).square().mean() + 1e-3 * power.square().mean()

        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()

        if plant.time == horizon:
            finished.append((max(h.max().item() for h in plant.log), loss.item()))
            plant.restore(cold)
            target = 0.6 + 0.8 * torch.rand(())
            horizon = int(torch.randint(15, 35, ()))
            if len(finished) % 5 == 0:
                hottest, last = finished[-1]
                print(f"firing {len(finished)}: hottest {hottest:.3f} final loss {last:.4f}")


if __name__ == "__main__":
    main()
