# gradwatch-corpus: kind=graph-chain
# holder: self.trace | cell.trace | self.cell.trace
# first-bad: 1
import torch

from cells import CELLS
from config import FilterConfig
from signals import SensorStream


class Estimator:
    def __init__(self, config):
        torch.manual_seed(config.seed)
        self.config = config
        self.cell = CELLS[config.cell](config.channels, config.units)
        self.readout = torch.randn(config.units, generator=torch.Generator().manual_seed(1))
        self.opt = torch.optim.Adam(self.cell.parameters(), lr=config.lr)

    def predict(self, x):
        return self.cell(x) @ self.readout

    def fit(self, stream):
        history = []
        for x, target in stream:
            loss = (self.predict(x) - target).pow(2).mean()
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            self.opt.step()
            history.append(loss.item())
        return history


def main():
    config = FilterConfig(cell="leaky", steps=400)
    history = Estimator(config).fit(SensorStream(config))
    for i in range(0, config.steps, 100):
        print(i, round(sum(history[i:i + 100]) / 100, 4))


if __name__ == "__main__":
    main()
