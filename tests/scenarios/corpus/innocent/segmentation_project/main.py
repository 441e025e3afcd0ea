# gradwatch-corpus: kind=none
# about: a project of several modules: callbacks, deep supervision, a loss bank whose entries are
# about: detached in a base class two calls away, and a trainer that keeps only its last outputs
import argparse
import os

import torch
from project.callbacks import BestMetric, History, LossBank
from project.data import Shapes
from project.model import UNet
from project.trainer import Trainer


def parse():
    parser = argparse.ArgumentParser()
    steps = int(os.environ.get("CORPUS_ITERATIONS", "300")) // 2
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--lr", type=float, default=2e-3)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    callbacks = [History(), LossBank(size=64), BestMetric("dice", every=25)]
    trainer = Trainer(UNet(), Shapes(), callbacks, lr=args.lr)
    trainer.fit(args.steps)


if __name__ == "__main__":
    main()
