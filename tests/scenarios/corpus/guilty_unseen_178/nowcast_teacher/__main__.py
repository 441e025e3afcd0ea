# gradwatch-corpus: kind=graph-chain
# holder: self.weights[name] | teacher.weights[name] | self.weights | teacher.weights
# first-bad: 1
import torch

from .config import NowcastConfig
from .data import StationFeed
from .model import StationNet
from .teacher import MeanTeacher
from .trainer import SemiSupervisedTrainer


def run():
    cfg = NowcastConfig()
    torch.manual_seed(cfg.seed)
    student = StationNet(cfg.features, cfg.hidden)
    teacher = MeanTeacher(student, cfg.momentum)
    trainer = SemiSupervisedTrainer(cfg, student, teacher)
    feed = StationFeed(cfg)
    for step in range(cfg.steps):
        report = trainer.train_step(feed.labelled(), feed.unlabelled())
        if step % cfg.log_every == 0:
            print(" ".join(f"{k}={v:.4f}" for k, v in report.items()))


if __name__ == "__main__":
    run()
