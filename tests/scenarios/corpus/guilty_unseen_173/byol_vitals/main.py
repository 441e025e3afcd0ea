# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Self-supervised pretraining of a vitals encoder with an online/target pair."""
import torch

from augment import VitalsWindows, two_views
from callbacks import Progress, TargetMomentum
from nets import TwinModel


class Trainer:
    def __init__(self, model, callbacks, lr=1e-3):
        self.model, self.callbacks = model, callbacks
        self.opt = torch.optim.AdamW(model.learnable(), lr=lr, weight_decay=1e-4)
        self.step, self.last = 0, 0.0

    def emit(self, name):
        for cb in self.callbacks:
            getattr(cb, name)(self)

    def fit(self, source, steps, batch):
        for self.step in range(steps):
            view_a, view_b = two_views(source.batch(batch))
            loss = self.model(view_a, view_b)
            self.emit("after_forward")
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.last = loss.item()
            self.emit("after_step")


if __name__ == "__main__":
    torch.manual_seed(21)
    TOTAL = 500
    trainer = Trainer(TwinModel(), [TargetMomentum(0.98, TOTAL), Progress(50)])
    trainer.fit(VitalsWindows(), TOTAL, batch=32)
