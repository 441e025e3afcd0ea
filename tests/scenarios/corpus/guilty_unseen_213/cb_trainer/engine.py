import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, callbacks=()):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = list(callbacks)
        self.global_step = 0

    def _fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event, lambda *a: None)(self, *args)

    def training_step(self, batch):
        x, y = batch
        pred = self.model(x)
        point = F.mse_loss(pred, y)
        trend = F.l1_loss(pred.diff(dim=1), y.diff(dim=1))
        return {"loss": point + 0.3 * trend, "point": point, "trend": trend, "n": x.size(0)}

    def fit(self, loader, epochs):
        self._fire("on_fit_start")
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                self._fire("on_step_start")
                out = self.training_step(batch)
                self.optimizer.zero_grad()
                out["loss"].backward()
                self.optimizer.step()
                self._fire("on_step_end", out)
                self.global_step += 1
            self._fire("on_epoch_end", epoch)
        self._fire("on_fit_end")
