# gradwatch-corpus: kind=graph-chain
# holder: self.total | loss_metric.total | self.loss_metric.total | model.loss_metric.total
# first-bad: 1
"""Bag-of-words ticket router. A thin Keras-like compile/fit layer over torch."""
import torch
import torch.nn.functional as F
from torch import nn


class Mean:
    """Drop-in for keras.metrics.Mean."""

    def __init__(self, name):
        self.name = name
        self.reset_state()

    def reset_state(self):
        self.total = 0.0
        self.count = 0

    def update_state(self, value):
        self.total = self.total + value  # <- culprit
        self.count += 1

    def result(self):
        return self.total / self.count


class Model(nn.Module):
    def compile_with(self, optimizer, loss):
        self.optimizer = optimizer
        self.loss = loss
        self.loss_metric = Mean("loss")

    def train_step(self, x, y):
        logits = self(x)
        value = self.loss(logits, y)
        self.loss_metric.update_state(value)  # <- culprit
        loss = self.loss_metric.result()  # <- culprit
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        acc = (logits.argmax(-1) == y).float().mean().item()
        return {"loss": loss.item(), "acc": acc}

    def fit(self, batches, epochs, callbacks=()):
        logs = {}
        for epoch in range(epochs):
            for cb in callbacks:
                cb.on_epoch_begin(epoch)
            for x, y in batches():
                logs = self.train_step(x, y)
            for cb in callbacks:
                cb.on_epoch_end(epoch, logs)
        return logs


class Printer:
    def on_epoch_begin(self, epoch):
        print("Epoch", epoch + 1)

    def on_epoch_end(self, epoch, logs):
        text = " - ".join(f"{k}: {v:.4f}" for k, v in logs.items())
        print("  ", text)


class TicketRouter(Model):
    def __init__(self, vocab, n_teams):
        super().__init__()
        self.dense = nn.Linear(vocab, n_teams)

    def forward(self, x):
        return self.dense(x)


def make_tickets(n, vocab, n_teams, seed):
    gen = torch.Generator().manual_seed(seed)
    topics = torch.rand(n_teams, vocab, generator=gen).pow(6)
    y = torch.randint(n_teams, (n,), generator=gen)
    rates = topics[y] * 4
    x = torch.poisson(rates, generator=gen)
    return torch.log1p(x), y


def main():
    torch.manual_seed(3)
    vocab = 300
    teams = 7
    x, y = make_tickets(32 * 30, vocab, teams, seed=9)

    def batches():
        order = torch.randperm(len(x))
        for chunk in order.split(32):
            yield x[chunk], y[chunk]

    model = TicketRouter(vocab, teams)
    sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.compile_with(optimizer=sgd, loss=F.cross_entropy)
    logs = model.fit(batches, epochs=4, callbacks=[Printer()])
    print("final", logs["acc"])


if __name__ == "__main__":
    main()
