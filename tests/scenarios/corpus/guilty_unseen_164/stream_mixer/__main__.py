# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | source.hidden | sources[name].hidden
# first-bad: 1
# notice: 11
import torch
import torch.nn.functional as F

from .model import Forecaster, PlainDescent
from .sources import Saw, Sine, Square

torch.set_num_threads(1)
torch.manual_seed(2)

SIZE = 12


class Interleaver:
    def __init__(self, sources):
        self.sources = sources
        self.model = Forecaster(SIZE)
        self.opt = PlainDescent(self.model.parameters(), lr=0.1)
        self.errors = {name: [] for name in sources}

    def train_on(self, name):
        source = self.sources[name]
        xs, ys = source.chunk()
        pred, hidden = self.model(xs, source.recall())
        loss = F.mse_loss(pred, ys)
        self.opt.zero()
        loss.backward(retain_graph=True)
        self.opt.step()
        source.keep(hidden)  # <- culprit
        self.errors[name].append(loss.item())

    def run(self, rounds):
        for r in range(rounds):
            for name in self.sources:
                self.train_on(name)
            if r % 5 == 4:
                print(r, {n: round(sum(e[-5:]) / 5, 4) for n, e in self.errors.items()})


if __name__ == "__main__":
    Interleaver({"sine": Sine(12, SIZE, 1), "saw": Saw(9, SIZE, 2), "square": Square(4, SIZE, 3)}).run(20)
