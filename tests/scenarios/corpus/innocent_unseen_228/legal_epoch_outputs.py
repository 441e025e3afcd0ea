# gradwatch-corpus: kind=none
"""Contract clause tagging with a lightning-like loop: outputs gathered per epoch, accumulation of 4."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm


class ClauseModule(nn.Module):
    def __init__(self, vocab=150, dim=24, tags=5):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.fc = weight_norm(nn.Linear(dim, dim))
        self.head = nn.Linear(dim, tags)
        self.training_outputs = []

    def forward(self, tokens):
        h = self.embed(tokens)
        for _ in range(2):
            h = h + torch.tanh(self.fc(h))
        return self.head(h)

    def training_step(self, batch):
        tokens, tags = batch
        with parametrize.cached():
            logits = self(tokens)
        loss = F.cross_entropy(logits, tags)
        self.training_outputs.append({"loss": loss.detach(), "preds": logits.detach().argmax(1), "tags": tags})
        return loss

    def on_train_epoch_end(self):
        loss = torch.stack([o["loss"] for o in self.training_outputs]).mean().item()
        preds = torch.cat([o["preds"] for o in self.training_outputs])
        tags = torch.cat([o["tags"] for o in self.training_outputs])
        self.training_outputs.clear()
        return {"loss": loss, "acc": (preds == tags).float().mean().item()}


class MiniTrainer:
    def __init__(self, max_epochs, accumulate):
        self.max_epochs = max_epochs
        self.accumulate = accumulate
        self.history = []

    def fit(self, module, batches):
        optimizer = torch.optim.AdamW(module.parameters(), lr=1e-2)
        for epoch in range(self.max_epochs):
            optimizer.zero_grad()
            for i, batch in enumerate(batches()):
                loss = module.training_step(batch) / self.accumulate
                loss.backward()
                if (i + 1) % self.accumulate == 0:
                    optimizer.step()
                    optimizer.zero_grad()
            self.history.append(module.on_train_epoch_end())
            print(epoch, self.history[-1])


def clause_batches(n=24, size=16):
    for _ in range(n):
        tags = torch.randint(0, 5, (size,))
        tokens = torch.randint(0, 150, (size, 12))
        tokens[:, :3] = tags[:, None] * 11 + torch.arange(3)
        yield tokens, tags


if __name__ == "__main__":
    torch.manual_seed(83)
    MiniTrainer(max_epochs=5, accumulate=4).fit(ClauseModule(), clause_batches)
