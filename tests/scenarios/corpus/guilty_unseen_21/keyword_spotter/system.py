import torch
import torch.nn.functional as F
from torch import nn


class KeywordSystem(nn.Module):
    def __init__(self, n_mels, n_words, width, smooth_weight):
        super().__init__()
        self.stem = nn.Conv1d(n_mels, width, 5, padding=2)
        self.body = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, n_words)
        self.smooth_weight = smooth_weight

    def forward(self, feats):
        x = F.relu(self.stem(feats)).transpose(1, 2)
        x, _ = self.body(x)
        return self.head(x)

    def training_step(self, batch):
        feats, words = batch
        frame_logits = self(feats)
        logits = frame_logits.mean(1)
        ce = F.cross_entropy(logits, words)
        posterior = frame_logits.log_softmax(-1)
        smoothness = (posterior[:, 1:] - posterior[:, :-1]).pow(2).mean()
        loss = ce + self.smooth_weight * smoothness
        accuracy = (logits.argmax(-1) == words).float().mean()
        return loss, {
            "ce": ce.item(),
            "accuracy": accuracy.item(),
            "smoothness": smoothness,  # <- culprit
        }
