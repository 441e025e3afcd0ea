# gradwatch-corpus: kind=graph-chain
# holder: self._slots | self._slots[key] | store._slots | self.store._slots | runner.store._slots
# first-bad: 60
# notice: 5
"""Streaming power forecast for a wind farm: stateless warm-up, then the cell carries its state."""
import torch

from windfarm.bus import Bus
from windfarm.cells import LaggedCell, PowerModel
from windfarm.optim import ClippedMomentum
from windfarm.plugins import Narrator, StateCarrier, WarmupReset
from windfarm.runner import Runner
from windfarm.state import StateStore
from windfarm.weather import gusts


def build():
    torch.manual_seed(2024)
    bus, store = Bus(), StateStore()
    model = PowerModel(LaggedCell(6, 14, rate=0.3))
    opt = ClippedMomentum(model.parameters(), lr=0.02, momentum=0.8, clip=1.0)
    for plugin in (WarmupReset(store, until=60), StateCarrier(store), Narrator(every=55)):
        plugin.attach(bus)
    return Runner(model, opt, bus, store)


if __name__ == "__main__":
    torch.set_num_threads(1)
    runner = build()
    mae = runner.run(gusts(turbines=8, n_feat=6, steps=230))
    print("mean abs error, last 40 steps: %.4f" % (sum(mae[-40:]) / 40))
