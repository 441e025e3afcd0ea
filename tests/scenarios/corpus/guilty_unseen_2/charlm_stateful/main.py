# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | lm.hidden | trainer.model.hidden | self.model.hidden
# first-bad: 1
"""Stateful character model over a long synthetic text."""
import logging
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

from text import Text
from model import CharLM
from trainer import Trainer

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)


def main():
    torch.manual_seed(55)
    text = Text(vocab=12, length=20000, batch=8, bptt=10)
    lm = CharLM(vocab=12, dim=16, hidden=24)
    Trainer(lm, lr=5e-3).run(text, limit=150)


if __name__ == "__main__":
    main()
