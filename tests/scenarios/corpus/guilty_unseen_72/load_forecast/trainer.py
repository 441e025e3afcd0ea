import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, callbacks, lr):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.metrics = {}
        self.best = None
        self.stop = False
        self.step = 0

    def fire(self, event):
        for cb in self.callbacks:
            fn = getattr(cb, event, None)
            if fn is not None:
                fn(self)

    def fit(self, data, steps, batch):
        self.fire("on_fit_start")
        while self.step < steps and not self.stop:
            x, y = data.batch(batch)
            loss = F.smooth_l1_loss(self.model(x), y)
            self.metrics["train"] = loss.item()
            self.fire("on_loss_computed")  # <- culprit
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.step += 1
            self.fire("on_step_end")
