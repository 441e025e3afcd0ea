# gradwatch-corpus: kind=inplace-modified
# holder: p | loss | trainer.model.head.weight | self.model.head.weight | trainer.model.blocks[0].fc2.weight | self.model.blocks[0].fc2.weight | self.model.blocks[1].fc2.weight | self.model.blocks[0].fc1.weight | self.model.blocks[1].fc1.weight | self.model.blocks[0].norm.weight | self.model.blocks[1].norm.weight
# first-bad: 20
# notice: 0
"""Day-ahead load forecasting on synthetic hourly data, EMA weights used for validation."""
import torch

from callbacks import BestKeeper, EarlyStopping, EMACallback, ProgressPrinter
from model import ResMLPForecaster
from series import WindowSampler, make_load
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    series = make_load(days=220)
    split = int(0.8 * len(series))
    train = WindowSampler(series[:split], past=72, horizon=24)
    valid = WindowSampler(series[split:], past=72, horizon=24)
    model = ResMLPForecaster(past=72, horizon=24, width=48, depth=2)
    callbacks = [
        EMACallback(valid, every=20, decay=0.98),
        BestKeeper(),
        EarlyStopping(patience=6),
        ProgressPrinter(every=20),
    ]
    trainer = Trainer(model, callbacks, lr=2e-3)
    trainer.fit(train, steps=240, batch=32)
    print("best validation", trainer.best)


if __name__ == "__main__":
    main()
