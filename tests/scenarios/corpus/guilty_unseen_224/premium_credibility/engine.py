import torch
from torch import nn


class Engine:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.AdamW(model.parameters(), lr=lr)
        self.criterion = nn.PoissonNLLLoss(log_input=True)
        self.seen = 0
        self.nll = 0.0

    def train_month(self, rows):
        self.optim.zero_grad()
        log_rate = self.model(rows.features, rows.region)
        loss = self.criterion(log_rate, rows.claims)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optim.step()
        self.seen += 1
        self.nll += loss.item()

    def summary(self, month):
        return f"month {month:3d}  mean nll {self.nll / max(self.seen, 1):.4f}"
