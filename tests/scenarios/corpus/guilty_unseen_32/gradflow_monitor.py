# gradwatch-corpus: kind=graph-held
# holder: p._backward_hooks | head.weight._backward_hooks | model.head.weight._backward_hooks | self.model.head.weight._backward_hooks | param._backward_hooks | self.model.head.weight
# first-bad: 1
"""Sequence tagger with a callback that relates gradient size to the current loss."""
import statistics

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_fit_begin(self, model): ...
    def on_backward_begin(self, model, loss): ...
    def on_epoch_end(self, epoch, mean_loss): ...


class Printer(Callback):
    def on_epoch_end(self, epoch, mean_loss):
        print(f"epoch {epoch + 1}: loss {mean_loss:.4f}")


class GradFlow(Callback):
    """Relative gradient norm |g| / loss of the named parameters."""

    def __init__(self, watch=("head.weight",)):
        self.watch = watch
        self.ratios = {}

    def on_fit_begin(self, model):
        self.ratios = {name: 0.0 for name in self.watch}

    def on_backward_begin(self, model, loss):
        for name, p in model.named_parameters():
            if name in self.watch:
                p.register_hook(self._recorder(name, loss))  # <- culprit

    def _recorder(self, name, loss):
        def record(grad):
            self.ratios[name] = (grad.norm() / loss.detach().clamp(min=1e-6)).item()  # <- culprit
        return record

    def on_epoch_end(self, epoch, mean_loss):
        for name, r in self.ratios.items():
            print(f"    {name}: last ratio {r:.4f}")


class Tagger(nn.Module):
    def __init__(self, vocab=40, d=24, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.conv = nn.Conv1d(d, 32, kernel_size=3, padding=1)
        self.head = nn.Linear(32, tags)

    def forward(self, ids):
        h = self.conv(self.emb(ids).transpose(1, 2)).relu()
        return self.head(h.transpose(1, 2))


def corpus(n=320, length=14, vocab=40, tags=5):
    ids = torch.randint(0, vocab, (n, length))
    prev = ids.roll(1, dims=1)
    return TensorDataset(ids, (ids + prev) % tags)


class Loop:
    def __init__(self, model, callbacks, lr=4e-3):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(*args)

    def batch(self, ids, tags):
        logits = self.model(ids)
        loss = self.crit(logits.reshape(-1, logits.size(-1)), tags.reshape(-1))
        self.opt.zero_grad()
        self.emit("on_backward_begin", self.model, loss)  # <- culprit
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, loader, epochs):
        self.emit("on_fit_begin", self.model)
        for epoch in range(epochs):
            losses = [self.batch(ids, tags) for ids, tags in loader]
            self.emit("on_epoch_end", epoch, statistics.fmean(losses))


if __name__ == "__main__":
    torch.manual_seed(23)
    loader = DataLoader(corpus(), batch_size=32, shuffle=True)
    Loop(Tagger(), [Printer(), GradFlow()]).fit(loader, epochs=10)
