import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, callbacks=()):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = list(callbacks)
        self.step_outputs = []
        self.metrics = {}
        self.epoch = 0

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event, lambda t: None)(self)

    def training_step(self, image, mask):
        logits = self.model(image)
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        p = logits.sigmoid()
        dice = 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)
        return {"loss": bce + dice, "dice": dice, "prob": p, "mask": mask}

    def fit(self, loader_fn, epochs):
        for self.epoch in range(epochs):
            self.emit("on_epoch_start")
            for image, mask in loader_fn(self.epoch):
                out = self.training_step(image, mask)
                self.optimizer.zero_grad()
                out["loss"].backward()
                self.optimizer.step()
                self.step_outputs.append(out)
            self.metrics["loss"] = sum(o["loss"].item() for o in self.step_outputs) / len(self.step_outputs)
            self.emit("on_epoch_end")
            self.step_outputs.clear()
