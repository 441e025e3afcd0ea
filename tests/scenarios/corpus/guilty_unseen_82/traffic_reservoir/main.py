# gradwatch-corpus: kind=graph-chain
# holder: self.state | reservoir.state | self.reservoir.state | self.core.state | model.core.state | self.state['fast'] | self.state['slow'] | self.state[name]
# first-bad: 1
# notice: 5
"""Loop-detector forecasting with an echo-state core and trained input/readout maps."""
import torch

from engine import Loop
from model import Forecaster
from sensors import SensorStream


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    stream = SensorStream(n_sensors=14, n_lanes=6)
    model = Forecaster(n_sensors=14, width=48, horizon=3)
    loop = Loop(model, lr=3e-3)
    loop.run(stream, steps=130)


if __name__ == "__main__":
    main()
