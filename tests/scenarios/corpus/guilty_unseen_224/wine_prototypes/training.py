import torch
import torch.nn.functional as F


class EpisodeTrainer:
    def __init__(self, encoder, library, cellar, temperature=0.2):
        self.encoder = encoder
        self.library = library
        self.cellar = cellar
        self.temperature = temperature
        self.opt = torch.optim.AdamW(encoder.parameters(), lr=2e-3)

    def batch_loss(self, x, y):
        query = self.encoder(x)
        protos = self.library.table  # <- culprit
        logits = query @ protos.T / self.temperature
        return F.cross_entropy(logits, y), logits

    def epoch(self, batches):
        self.library.invalidate()
        right = 0
        seen = 0
        for _ in range(batches):
            x, y = self.cellar.bottles(32)
            loss, logits = self.batch_loss(x, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            right += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        return right / seen
