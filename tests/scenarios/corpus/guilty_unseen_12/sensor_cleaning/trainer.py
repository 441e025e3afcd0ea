import math

import torch
import torch.nn.functional as F


class BatchRejected(ValueError):
    """The loss of a batch is out of the plausible range."""


def ensure_plausible(loss, limit):
    value = loss.item()
    if not math.isfinite(value) or value > limit:
        raise BatchRejected(f"loss {value:.1f} above {limit}")
    return value


class Trainer:
    def __init__(self, model, lr, max_loss):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.max_loss = max_loss
        self.rejected = []
        self.losses = []

    def step(self, noisy, clean):
        out = self.model(noisy)
        loss = F.mse_loss(out, clean) + 0.1 * F.l1_loss(out.diff(dim=-1), clean.diff(dim=-1))
        value = ensure_plausible(loss, self.max_loss)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return value

    def careful_step(self, noisy, clean):
        try:
            return self.step(noisy, clean)
        except BatchRejected as err:
            self.rejected.append(err)  # <- culprit
        return self.step(noisy.clamp(-3.0, 3.0), clean)

    def fit(self, batches):
        for i, (noisy, clean) in enumerate(batches):
            self.losses.append(self.careful_step(noisy, clean))
            if i % 80 == 79:
                last = self.losses[-40:]
                print(f"{i + 1:4d}  loss {sum(last) / len(last):.4f}  rejected so far {len(self.rejected)}")

    def report(self):
        print(f"{len(self.losses)} steps, {len(self.rejected)} rejected")
        for err in self.rejected[:3]:
            print("   ", err)
