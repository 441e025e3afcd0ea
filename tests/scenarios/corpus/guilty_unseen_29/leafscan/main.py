# gradwatch-corpus: kind=graph-held
# holder: epoch_loss
# first-bad: 1
import json
import logging
import sys

import torch

from engine.data import make_loader
from engine.loop import Engine
from engine.net import LeafNet

CONFIG = json.loads("""
{
  "seed": 21,
  "model": {"channels": 6, "classes": 4},
  "data": {"n": 640, "size": 12, "batch_size": 8},
  "optim": {"lr": 0.01, "weight_decay": 0.0001},
  "epochs": 2
}
""")


def main(cfg):
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname).1s %(message)s")
    torch.manual_seed(cfg["seed"])
    loader = make_loader(**cfg["data"], classes=cfg["model"]["classes"])
    model = LeafNet(**cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optim"])
    engine = Engine(model, optimizer)
    for epoch in range(cfg["epochs"]):
        mean_loss, acc = engine.run_epoch(loader)
        logging.info("epoch %d: loss %.4f, accuracy %.3f", epoch, mean_loss, acc)


if __name__ == "__main__":
    main(CONFIG)
