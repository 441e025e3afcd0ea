# gradwatch-corpus: kind=graph-held
# holder: self.rows | history.rows | trainer.callbacks[1].rows | self.callbacks[1].rows | cb.rows
# first-bad: 1
# notice: 8
import torch

from .callbacks import History, Progress, WarmRestarts
from .trainer import PreferenceTrainer
from .model import BagPolicy

torch.set_num_threads(1)


def main():
    torch.manual_seed(5)
    history = History()
    policy = BagPolicy(vocab=40, d=16)
    trainer = PreferenceTrainer(policy, beta=0.3, callbacks=[Progress(100), history, WarmRestarts(90)])
    trainer.fit(steps=360)
    print("rows", len(history.rows), "best", history.best("margin"))


if __name__ == "__main__":
    main()
