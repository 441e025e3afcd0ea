# gradwatch-corpus: kind=graph-held
# holder: self._later | bus._later | self.bus._later | hub.bus._later | _later
# first-bad: 1
# notice: 8
"""Molecular property regression: message passing on random molecular graphs."""
import torch

from .bus import Bus
from .model import build
from .trainer import Trainer
from .watchers import attach

torch.set_num_threads(1)
torch.manual_seed(3)


def molecules(n, atoms=9, batch=6):
    gen = torch.Generator().manual_seed(17)
    for _ in range(n):
        z = torch.randint(1, 9, (batch, atoms), generator=gen)
        a = (torch.rand(batch, atoms, atoms, generator=gen) < 0.25).float()
        a = ((a + a.transpose(1, 2)) > 0).float()
        yield z, a, (z.float().mean(1) / 8 + 0.1 * a.sum((1, 2)) / atoms)


def main():
    bus = Bus()
    net = build("mpnn", width=24, rounds=3)
    attach(bus, names=("summary", "spread"))
    Trainer(net, bus, lr=3e-3).fit(molecules(90))
    for line in bus.flush():
        print(line)


if __name__ == "__main__":
    main()
