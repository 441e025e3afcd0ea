from dataclasses import dataclass

import torch
import torch.nn.functional as F

from metrics import MetricGroup, Peak, WeightedMean


@dataclass
class TrainConfig:
    steps: int = 300
    lr: float = 1e-3
    report_every: int = 100
    steer_weight: float = 4.0


class BaseTrainer:
    def __init__(self, model, source, cfg):
        self.model, self.source, self.cfg = model, source, cfg
        self.step = 0
        self.metrics = self.build_metrics()
        self.optimizer = self.build_optimizer()

    def build_metrics(self):
        return MetricGroup(loss=WeightedMean())

    def build_optimizer(self):
        return torch.optim.AdamW(self.model.parameters(), lr=self.cfg.lr)

    def fit(self):
        for self.step, batch in zip(range(self.cfg.steps), self.source):
            self.model.train()
            self.run_step(batch)
            if (self.step + 1) % self.cfg.report_every == 0:
                self.report()

    def report(self):
        print(f"[{self.step + 1:4d}] {self.metrics.summary()}")

    def run_step(self, batch):
        raise NotImplementedError


class SupervisedTrainer(BaseTrainer):
    def run_step(self, batch):
        out = self.model(batch["frames"])
        loss, parts = self.criterion(out, batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        self.after_step(batch, loss.item(), parts)

    def criterion(self, out, batch):
        raise NotImplementedError

    def after_step(self, batch, loss, parts):
        self.metrics.update(weight=len(batch["frames"]), loss=loss)


class LaneTrainer(SupervisedTrainer):
    def build_metrics(self):
        return MetricGroup(loss=WeightedMean(), lateral_mae=WeightedMean(), worst=Peak())

    def criterion(self, out, batch):
        lateral = (out["offset"] - batch["offset"]).abs()
        steer = F.smooth_l1_loss(out["steer"], batch["steer"])
        parts = {"lateral_mae": lateral.mean(), "worst": lateral.max()}
        return lateral.mean() + self.cfg.steer_weight * steer, parts

    def after_step(self, batch, loss, parts):
        super().after_step(batch, loss, parts)
        self.metrics.update(weight=len(batch["frames"]), **parts)  # <- culprit
