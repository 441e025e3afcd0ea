# gradwatch-corpus: kind=graph-chain
# holder: self._rows | store._rows | self.store._rows | trainer.store._rows
# first-bad: 1
import logging

import torch

from config import ServiceConfig
from model import NextItemModel
from store import UserStateStore
from train import Trainer


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(11)
    cfg = ServiceConfig()
    model = NextItemModel(cfg.n_items, cfg.dim)
    store = UserStateStore(cfg.n_users, cfg.dim)
    trainer = Trainer(model, store, cfg)
    summary = trainer.fit()
    logging.getLogger("main").info("final loss %.4f hit@5 %.3f", summary["loss"], summary["hit5"])


if __name__ == "__main__":
    main()
