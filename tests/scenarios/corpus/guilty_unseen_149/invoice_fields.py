# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Which field of an invoice is this token? A trainer in which everything is a callback."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(9)


class Callback:
    def on_epoch_begin(self, t): ...
    def on_batch_begin(self, t): ...
    def on_loss(self, t): ...
    def on_batch_end(self, t): ...
    def on_epoch_end(self, t): ...


class ClearGrads(Callback):
    def on_epoch_begin(self, t):
        t.opt.zero_grad()  # <- culprit


class Descend(Callback):
    def on_loss(self, t):
        t.loss.backward()  # <- culprit
        t.opt.step()  # <- culprit


class Score(Callback):
    def on_epoch_begin(self, t):
        self.right = self.seen = 0

    def on_batch_end(self, t):
        self.right += (t.out.argmax(1) == t.y).sum().item()
        self.seen += len(t.y)

    def on_epoch_end(self, t):
        print(f"epoch {t.epoch}: {self.right / self.seen:.1%} of the tokens")


class Trainer:
    def __init__(self, model, loader, opt, callbacks):
        self.model, self.loader, self.opt, self.callbacks = model, loader, opt, callbacks
        self.criterion = nn.CrossEntropyLoss()

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, epochs):
        for self.epoch in range(epochs):
            self.fire("on_epoch_begin")
            for self.x, self.y in self.loader:
                self.fire("on_batch_begin")
                self.out = self.model(self.x)
                self.loss = self.criterion(self.out, self.y)
                self.fire("on_loss")
                self.fire("on_batch_end")
            self.fire("on_epoch_end")


def tokens(n=1280, vocab=80, fields=6):
    word, x, y = torch.randint(0, vocab, (n,)), torch.rand(n), torch.rand(n)
    label = (word // 14 + (y > 0.8).long()) % fields
    feats = torch.cat([nn.functional.one_hot(word, vocab).float(), x[:, None], y[:, None]], 1)
    return TensorDataset(feats, label)


model = nn.Sequential(nn.Linear(82, 32), nn.ReLU(), nn.Linear(32, 6))
trainer = Trainer(
    model,
    DataLoader(tokens(), batch_size=32, shuffle=True),
    torch.optim.SGD(model.parameters(), lr=0.01),
    [ClearGrads(), Descend(), Score()],
)
trainer.fit(3)
