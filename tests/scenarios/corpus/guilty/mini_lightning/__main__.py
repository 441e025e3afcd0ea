# gradwatch-corpus: kind=graph-held
# holder: self.outputs | collector.outputs | callbacks[0].outputs | self.callbacks[0].outputs
# holder: trainer.callbacks[0].outputs
# about: a callback of a small Lightning-like trainer keeps what each training step returns
import torch

from .callbacks import LossCollector, PrintEvery
from .module import Regressor
from .trainer import Trainer


def main():
    torch.manual_seed(0)
    collector = LossCollector()
    trainer = Trainer(max_steps=60, callbacks=[collector, PrintEvery(20)])
    trainer.fit(Regressor())
    print("mean loss", collector.mean())


if __name__ == "__main__":
    main()
