# gradwatch-corpus: kind=graph-held
# holder: self._bins[b] | self._bins | self._bins[int(b)] | ReliabilityDiagram._bins | PLUGINS["reliability"]._bins | plugin._bins | plugins[1]._bins | self.plugins[1]._bins | trainer.plugins[1]._bins
# first-bad: 4
# notice: 20
"""Clause-type classification for commercial leases (toy corpus), with the reporting done by plug-ins."""
import torch
from torch import nn
from torch.utils.data import DataLoader

from corpus import CLAUSE_TYPES, LeaseClauses, pad_batch
from plugins import BatchEvent, build_plugins


class ClauseTagger(nn.Module):
    def __init__(self, vocab, width=32, classes=len(CLAUSE_TYPES)):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        mask = (tokens != 0).unsqueeze(1)
        x = self.embed(tokens).transpose(1, 2)
        x = torch.relu(self.conv(x)).masked_fill(~mask, float("-inf"))
        return self.head(self.drop(x.amax(dim=-1)))


class Trainer:
    def __init__(self, model, loader, plugins, lr=2e-3):
        self.model = model
        self.loader = loader
        self.plugins = plugins
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.step = 0

    def _emit(self, hook, *args):
        for plugin in self.plugins:
            handler = getattr(plugin, hook, None)
            if handler is not None:
                handler(*args)

    def _train_batch(self, tokens, labels):
        logits = self.model(tokens)
        loss = self.criterion(logits, labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self._emit("on_batch", BatchEvent(self.step, loss.item(), logits, labels))  # <- culprit
        self.step += 1

    def fit(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            for tokens, labels in self.loader:
                self._train_batch(tokens, labels)
            self._emit("on_epoch", epoch)


def main():
    torch.manual_seed(404)
    data = LeaseClauses(640)
    loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True, collate_fn=pad_batch)
    model = ClauseTagger(len(data.vocab) + 1)
    trainer = Trainer(model, loader, build_plugins(["progress", "reliability"]))
    trainer.fit(epochs=6)


if __name__ == "__main__":
    main()
