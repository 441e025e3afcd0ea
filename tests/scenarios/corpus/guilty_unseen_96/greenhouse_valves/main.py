# gradwatch-corpus: kind=inplace-modified
# holder: self.opening | model.opening | value | self.model.opening
# first-bad: 15
# notice: 0
"""Learns valve openings for a greenhouse from logged climate; hardware limits are switched on after commissioning."""
import torch

from climate import Climate
from fields import limits
from valves import ValveNet


def commission(model, opt, climate, steps):
    for step in range(steps):
        yield step, one_update(model, opt, *climate.batch(32))


def operate(model, opt, climate, steps, first):
    with limits(opening=(0.05, 0.95), heat=(0.0, 2.5)):
        for step in range(first, first + steps):
            yield step, one_update(model, opt, *climate.batch(32))


def one_update(model, opt, x, wanted):
    loss = (model(x) - wanted).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(451)
    climate = Climate(sensors=6, seed=45)
    model = ValveNet(sensors=6, valves=3)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step, value in commission(model, opt, climate, 15):
        if step % 5 == 0:
            print(f"commissioning {step:3d} {value:.4f}")
    for step, value in operate(model, opt, climate, 200, first=15):
        if step % 25 == 0:
            print(f"operating {step:3d} {value:.4f}")


if __name__ == "__main__":
    main()
