from dataclasses import dataclass

import torch
from torch.nn import functional as F


@dataclass
class EngineConfig:
    lr: float = 1e-3
    epochs: int = 10


@dataclass
class StepOutput:
    step: int
    loss: torch.Tensor
    batch_size: int


class Engine:
    def __init__(self, model, config, callbacks):
        self.model = model
        self.config = config
        self.callbacks = callbacks
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
        self.global_step = 0

    def training_step(self, batch):
        num, cat, target = batch
        pred = self.model(num, cat)
        loss = F.huber_loss(pred, target)
        return StepOutput(self.global_step, loss, len(target))

    def fit(self, batches):
        self.callbacks.on_fit_start(self)
        for epoch in range(self.config.epochs):
            for batch in batches:
                self.optimizer.zero_grad()
                output = self.training_step(batch)
                output.loss.backward()
                self.optimizer.step()
                self.global_step += 1
                self.callbacks.on_step_end(self, output)
            self.callbacks.on_epoch_end(self, epoch)
