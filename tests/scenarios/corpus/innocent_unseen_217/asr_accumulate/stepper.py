import torch
from torch import nn
import torch.nn.functional as F


class Stats:
    def __init__(self):
        self.rows = []

    def add(self, loss, frames, grad_norm):
        self.rows.append((loss, frames, grad_norm))

    def render(self):
        a, b = self.rows[:5], self.rows[-5:]
        return "loss {:.3f} -> {:.3f}".format(sum(r[0] for r in a) / 5, sum(r[0] for r in b) / 5)


class AccumulatingStepper:
    """Weights micro-batches by their frames, so the losses wait for the whole group."""

    def __init__(self, model, group, lr):
        self.model, self.group = model, group
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.pending, self.frames = [], []
        self.updates = 0

    def feed(self, batch):
        x, y = batch
        logp = self.model(x).transpose(0, 1)
        t, b = logp.shape[:2]
        nll = F.ctc_loss(logp, y, torch.full((b,), t), torch.full((b,), y.size(1)), reduction="sum")
        self.pending.append(nll)
        self.frames.append(t * b)
        if len(self.pending) == self.group:
            return self._flush()
        return None

    def _flush(self):
        total = torch.stack(self.pending).sum() / sum(self.frames)
        self.opt.zero_grad()
        total.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        out = {"loss": total.item(), "frames": sum(self.frames), "grad_norm": norm.item()}
        self.pending.clear()
        self.frames.clear()
        self.updates += 1
        return out
