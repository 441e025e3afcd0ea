import torch


class IoU:
    def __init__(self, threshold):
        self.threshold = threshold

    def on_epoch_end(self, trainer):
        prob = torch.cat([o["prob"] for o in trainer.step_outputs])
        mask = torch.cat([o["mask"] for o in trainer.step_outputs])
        hard = prob > self.threshold
        inter = (hard & (mask > 0.5)).sum().item()
        union = (hard | (mask > 0.5)).sum().item()
        trainer.metrics["iou"] = inter / max(union, 1)


class LrOnPlateau:
    def __init__(self, patience, factor=0.5):
        self.patience, self.factor = patience, factor
        self.best, self.bad = float("inf"), 0

    def on_epoch_end(self, trainer):
        loss = trainer.metrics["loss"]
        if loss < self.best - 1e-3:
            self.best, self.bad = loss, 0
            return
        self.bad += 1
        if self.bad >= self.patience:
            for group in trainer.optimizer.param_groups:
                group["lr"] *= self.factor
            self.bad = 0


class EpochReport:
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, trainer):
        if trainer.epoch % self.every == 0:
            dice = torch.stack([o["dice"] for o in trainer.step_outputs]).mean().item()
            print(f"epoch {trainer.epoch:2d} dice-loss {dice:.3f}", {k: round(v, 3) for k, v in trainer.metrics.items()})
