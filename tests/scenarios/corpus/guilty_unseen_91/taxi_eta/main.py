# gradwatch-corpus: kind=graph-held
# holder: self._pending | log._pending | self.log._pending | journal._pending | trainer.journal._pending | self.journal._pending | pending
# first-bad: 1
# notice: 8
"""Trip-duration model: quantile regression over synthetic taxi rides."""
import torch

from rides import RideGenerator
from engine import EtaTrainer
from journal import Journal
from network import EtaNet


def main():
    torch.manual_seed(77)
    torch.set_num_threads(1)
    rides = RideGenerator(zones=20)
    net = EtaNet(zones=20)
    trainer = EtaTrainer(net, rides, journal=Journal("eta"))
    trainer.fit(epochs=6, iters=60)
    trainer.finish()


if __name__ == "__main__":
    main()
