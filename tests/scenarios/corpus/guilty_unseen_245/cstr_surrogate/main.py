# gradwatch-corpus: kind=graph-chain
# holder: state.concentration | state.memory | state | self.state | runner.state | runner.state.concentration | runner.state.memory | self.state.concentration | self.state.memory
# first-bad: 1
"""Online training of a recurrent surrogate for a stirred-tank reactor."""
import argparse

import torch

from plant import CstrPlant
from surrogate import ReactorCell
from surrogate import ReactorState
from descent import PlainDescent


class OnlineRunner:
    def __init__(self, plant, cell, descent, n_tanks):
        self.plant = plant
        self.cell = cell
        self.descent = descent
        self.state = ReactorState.start(n_tanks, cell.n_species, cell.width)

    def minute(self):
        feed = self.plant.feed_schedule()
        measured = self.plant.advance(feed)
        self.state = self.cell(self.state, feed)  # <- culprit
        residual = self.state.concentration - measured
        misfit = residual.square().mean()
        self.descent.clear()
        misfit.backward(retain_graph=True)  # <- culprit
        self.descent.apply()
        return misfit.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tanks", type=int, default=16)
    parser.add_argument("--species", type=int, default=4)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--minutes", type=int, default=80)
    parser.add_argument("--rate", type=float, default=0.01)
    args = parser.parse_args()

    torch.manual_seed(3)
    plant = CstrPlant(args.tanks, args.species)
    cell = ReactorCell(args.species, args.width)
    descent = PlainDescent(cell.parameters(), args.rate)
    runner = OnlineRunner(plant, cell, descent, args.tanks)
    for minute in range(args.minutes):
        misfit = runner.minute()
        if minute % 10 == 0:
            print(f"t={minute:3d} min   misfit {misfit:.5f}")


if __name__ == "__main__":
    main()
