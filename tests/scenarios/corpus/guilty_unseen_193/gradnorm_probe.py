# gradwatch-corpus: kind=second-backward
# first-bad: 49
import argparse
from collections import defaultdict

import torch
from torch import nn


class Callback:
    def before_backward(self, trainer, loss):
        pass

    def after_step(self, trainer):
        pass


class LayerGradProbe(Callback):
    """Every so often measures how strongly each layer pulls on the loss."""

    def __init__(self, every):
        self.every = every
        self.norms = defaultdict(list)

    def before_backward(self, trainer, loss):
        if (trainer.step + 1) % self.every:
            return
        named = [(n, p) for n, p in trainer.model.named_parameters() if p.ndim > 1]
        grads = torch.autograd.grad(loss, [p for _, p in named])  # <- culprit
        for (name, _), g in zip(named, grads):
            self.norms[name].append(g.norm().item())


class LossHistory(Callback):
    def __init__(self):
        self.values = []

    def before_backward(self, trainer, loss):
        self.values.append(loss.item())

    def after_step(self, trainer):
        if trainer.step % 40 == 0:
            recent = self.values[-40:]
            print(f"step {trainer.step} loss {sum(recent) / len(recent):.4f}")


class CharCNN(nn.Module):
    def __init__(self, vocab, width, classes):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.conv1 = nn.Conv1d(width, width, 3, padding=1)
        self.conv2 = nn.Conv1d(width, width, 3, padding=1)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(width, classes)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        x = self.conv1(x).relu()
        x = x + self.conv2(x).relu()
        return self.fc(self.drop(x.amax(-1)))


class Trainer:
    def __init__(self, model, opt, callbacks):
        self.model, self.opt, self.callbacks, self.step = model, opt, callbacks, 0
        self.criterion = nn.CrossEntropyLoss()

    def train_batch(self, ids, labels):
        loss = self.criterion(self.model(ids), labels)
        self.opt.zero_grad()
        for cb in self.callbacks:
            cb.before_backward(self, loss)
        loss.backward()
        self.opt.step()
        self.step += 1
        for cb in self.callbacks:
            cb.after_step(self)


def language_batches(vocab, classes, batch, length, seed):
    g = torch.Generator().manual_seed(seed)
    tables = torch.rand(classes, vocab, generator=g) ** 4
    while True:
        y = torch.randint(classes, (batch,), generator=g)
        yield torch.multinomial(tables[y], length, replacement=True, generator=g), y


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--probe-every", type=int, default=50)
    ap.add_argument("--batch", type=int, default=32)
    opts = ap.parse_args()
    torch.manual_seed(0)
    net = CharCNN(26, 24, 5)
    trainer = Trainer(net, torch.optim.Adam(net.parameters(), lr=1e-3),
                      [LossHistory(), LayerGradProbe(opts.probe_every)])
    stream = language_batches(26, 5, opts.batch, 14, seed=6)
    for _ in range(opts.steps):
        trainer.train_batch(*next(stream))
