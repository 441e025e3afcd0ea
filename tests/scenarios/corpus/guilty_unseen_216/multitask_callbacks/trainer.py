import torch
import torch.nn.functional as F

LOSSES = {
    "price": F.mse_loss,
    "sold": F.binary_cross_entropy_with_logits,
    "days": F.smooth_l1_loss,
}


class Trainer:
    def __init__(self, model, optimizer, weights, callbacks=()):
        self.model = model
        self.optimizer = optimizer
        self.weights = weights
        self.callbacks = list(callbacks)
        self.stop = False
        self.step = 0
        for cb in self.callbacks:
            cb.trainer = self

    def train_batch(self, x, y):
        out = self.model(x)
        parts = {k: LOSSES[k](out[k], y[k]) for k in out}
        loss = sum(self.weights[k] * v for k, v in parts.items())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        logs = {"loss": loss, "lr": self.optimizer.param_groups[0]["lr"]}  # <- culprit
        logs.update(parts)  # <- culprit
        return logs

    def fit(self, x, targets, epochs, batch_size):
        for epoch in range(epochs):
            self.model.train()
            sums, n = {"loss": 0.0}, 0
            for idx in torch.randperm(len(x)).split(batch_size):
                logs = self.train_batch(x[idx], {k: v[idx] for k, v in targets.items()})
                sums["loss"] += logs["loss"].item()
                n += 1
                for cb in self.callbacks:
                    cb.on_batch_end(self.step, logs)
                self.step += 1
            for cb in self.callbacks:
                cb.on_epoch_end(epoch, {k: v / n for k, v in sums.items()})
            if self.stop:
                break
