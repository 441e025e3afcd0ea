# gradwatch-corpus: kind=none
"""Meta-train a coordinate-wise optimizer for click models that are refitted on every new ad auction log."""
import torch

from clicks import ClickTask
from meta import MetaTrainer
from rules import RULES


def main():
    torch.set_num_threads(1)
    torch.manual_seed(70)
    trainer = MetaTrainer(RULES["momentum_mlp"](), unroll=5, horizon=40)
    trainer.train(lambda seed: ClickTask(seed), n_updates=320)


if __name__ == "__main__":
    main()
