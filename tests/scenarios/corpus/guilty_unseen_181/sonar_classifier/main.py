# gradwatch-corpus: kind=crashed
# first-bad: 60
import torch

from engine import Engine
from pings import PingDataset
from net import SonarNet

CONFIG = {
    "steps": 600,
    "batch": 32,
    "lr": 1e-3,
    "eval_every": 60,
    "log_every": 20,
    "seed": 12,
}


def main(cfg):
    torch.manual_seed(cfg["seed"])
    train_set = PingDataset(1500)
    valid_set = PingDataset(200)
    net = SonarNet(n_range=40, n_types=3)
    engine = Engine(net, cfg)
    engine.fit(train_set, valid_set)
    print("best accuracy", engine.best)


if __name__ == "__main__":
    main(CONFIG)
