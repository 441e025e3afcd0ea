import torch
import torch.nn.functional as F

from metrics import StageMeter


class Trainer:
    def __init__(self, model, lr, class_weights=None):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.w = class_weights
        self.meter = StageMeter()

    def _step(self, x, y):
        logits = self.model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), weight=self.w)
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        return logits, loss.item()

    def fit(self, ds, steps, report_every):
        for i in range(steps):
            x, y = ds.batch()
            logits, loss = self._step(x, y)
            self.meter.update(step=i, loss=loss, logits=logits, target=y)  # <- culprit
            if (i + 1) % report_every == 0:
                print(f"step {i + 1:4d}  loss {self.meter.mean_loss():.3f}")
