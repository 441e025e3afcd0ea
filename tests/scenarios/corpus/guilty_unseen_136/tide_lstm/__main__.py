# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | self.model.hidden | engine.model.hidden
# first-bad: 1
# notice: 0
"""Stateful LSTM predicting harbour tide height."""
import torch

from .model import TideLSTM
from .series import chunks, tide
from .engine import Engine

torch.set_num_threads(1)


def main():
    torch.manual_seed(17)
    heights = tide(hours=1500)
    split = 1200
    model = TideLSTM(hidden_size=12)
    engine = Engine(model, lr=4e-3)
    for epoch in range(6):
        engine.start_epoch(batch=1)
        loss = engine.run(chunks(heights[:split], 24))
        print("epoch", epoch, "loss", loss)
    print("test", engine.score(chunks(heights[split:], 24)))


main()
