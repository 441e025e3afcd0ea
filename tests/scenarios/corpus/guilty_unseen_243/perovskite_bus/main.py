# gradwatch-corpus: kind=graph-held
# holder: self.pages | logbook.pages
# first-bad: 1
"""Message passing on toy perovskite cells; everything is announced on a small event bus."""
import torch

from bus import Bus, Logbook, Whistle
from cells import CellFoundry
from lattice import LatticeNet

SPEC = {
    "sites": 20,
    "species": 5,
    "width": 32,
    "hops": 3,
    "cells": 8,
    "rounds": 100,
    "whistle_every": 25,
}


class BandgapCampaign:
    def __init__(self, spec, bus):
        self.spec = spec
        self.bus = bus
        self.foundry = CellFoundry(spec["sites"], spec["species"])
        self.net = LatticeNet(spec["species"], spec["width"], spec["hops"])
        self.anvil = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)

    def round(self, number):
        species, bonds, gap = self.foundry.cast(self.spec["cells"])
        guess = self.net(species, bonds)
        misfit = torch.nn.functional.smooth_l1_loss(guess, gap)
        self.anvil.zero_grad()
        misfit.backward()
        self.anvil.step()
        self.bus.announce("round_done", number=number, misfit=misfit, spread=guess.std())  # <- culprit

    def run(self):
        for number in range(self.spec["rounds"]):
            self.round(number)
        self.bus.announce("campaign_done")


def main():
    torch.manual_seed(77)
    bus = Bus()
    logbook = Logbook()
    whistle = Whistle(SPEC["whistle_every"])
    bus.enlist("round_done", logbook.on_round)
    bus.enlist("round_done", whistle.on_round)
    bus.enlist("campaign_done", logbook.on_close)
    BandgapCampaign(SPEC, bus).run()


if __name__ == "__main__":
    main()
