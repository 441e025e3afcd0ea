import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = list(callbacks)
        self.step = 0

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def train_batch(self, batch):
        x, y = batch
        self.optimizer.zero_grad(set_to_none=True)
        logit = self.model(x)
        loss = F.binary_cross_entropy_with_logits(logit, y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        acc = ((logit > 0) == (y > 0.5)).float().mean().item()
        return {"loss": loss, "acc": acc, "grad_norm": norm.item()}  # <- culprit

    def run(self, batches, steps):
        self.model.train()
        self.emit("on_train_begin")
        for batch in batches:
            if self.step >= steps:
                break
            self.emit("on_batch_begin")
            logs = self.train_batch(batch)
            self.emit("on_batch_end", logs)
            self.step += 1
        self.emit("on_train_end")
