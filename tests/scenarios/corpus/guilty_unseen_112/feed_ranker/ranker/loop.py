import torch
import torch.nn.functional as F

from .ledger import ImpressionLedger


class Session:
    def __init__(self, model, lr):
        self.model = model
        self.audit = ImpressionLedger()
        self.opt = torch.optim.Adagrad(model.parameters(), lr=lr * 5)

    def train_on(self, batch):
        logits = self.model(batch.users, batch.items, batch.slot)
        loss = F.binary_cross_entropy_with_logits(logits, batch.clicked)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.audit.note(batch, torch.sigmoid(logits.detach()))
        return loss.item()

    def calibration(self, n=2000):
        rows = self.audit.latest(n)
        clicks = sum(r.clicked for r in rows)
        return sum(r.score for r in rows) / max(clicks, 1.0)
