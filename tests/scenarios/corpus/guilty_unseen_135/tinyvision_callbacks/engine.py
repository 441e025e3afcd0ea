from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class TrainConfig:
    epochs: int = 10
    lr: float = 0.1
    width: int = 8
    momentum: float = 0.9
    weight_decay: float = 1e-4
    label_smoothing: float = 0.05


class Trainer:
    def __init__(self, model, cfg, callbacks=()):
        self.model = model
        self.cfg = cfg
        self.callbacks = list(callbacks)
        self.optimizer = torch.optim.SGD(
            model.parameters(), lr=cfg.lr, momentum=cfg.momentum, weight_decay=cfg.weight_decay, nesterov=True
        )
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg.epochs)
        self.global_step = 0
        self.batches_per_epoch = 0

    def _emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def training_step(self, images, labels):
        logits = self.model(images)
        loss = F.cross_entropy(logits, labels, label_smoothing=self.cfg.label_smoothing)
        acc = (logits.argmax(1) == labels).float().mean().item()
        return {"loss": loss, "acc": acc}

    def fit(self, loader):
        self.batches_per_epoch = len(loader)
        for epoch in range(self.cfg.epochs):
            self.model.train()
            for images, labels in loader:
                logs = self.training_step(images, labels)
                self.optimizer.zero_grad()
                logs["loss"].backward()
                self.optimizer.step()
                self.global_step += 1
                self._emit("on_batch_end", logs)  # <- culprit
            self.scheduler.step()
            self._emit("on_epoch_end", epoch)
