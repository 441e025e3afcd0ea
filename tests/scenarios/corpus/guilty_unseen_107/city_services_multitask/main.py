# gradwatch-corpus: kind=graph-chain
# holder: balancer.scale | balancer.scale[name] | self.scale | self.scale[name] | trainer.balancer.scale
# first-bad: 1
# notice: 5
"""Multi-task forecaster: bike demand, air quality class and noise level per district."""
import torch

from data import DistrictStream
from model import SharedTrunk
from optim import SignMomentum
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    stream = DistrictStream(batch=24, features=10)
    model = SharedTrunk(10, 24)
    opt = SignMomentum(model.parameters(), lr=2e-3, beta=0.9)
    trainer = Trainer(model, opt, stream)
    trainer.fit(steps=122)


if __name__ == "__main__":
    main()
