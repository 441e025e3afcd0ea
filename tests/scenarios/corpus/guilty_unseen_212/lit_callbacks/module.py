import torch
from torch import nn


class AudioTagger(nn.Module):
    def __init__(self, classes, width=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, 9, stride=4, padding=4), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, width, 9, stride=4, padding=4), nn.BatchNorm1d(width), nn.ReLU(),
        )
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.body(x.unsqueeze(1)).mean(-1))

    def training_step(self, batch):
        x, y = batch
        logits = self(x)
        logp = logits.log_softmax(-1)
        entropy = -(logp.exp() * logp).sum(-1).mean()
        ce = nn.functional.nll_loss(logp, y)
        return {"loss": ce - 0.01 * entropy, "entropy": entropy}

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-3)
