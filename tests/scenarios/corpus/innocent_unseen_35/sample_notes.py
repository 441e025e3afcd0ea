# gradwatch-corpus: kind=none
import weakref

import torch
from torch import nn
from torch.nn import functional as F


class StepResult:
    """What one batch gave; callbacks look it up by step while the trainer still has it."""

    def __init__(self, step, logits, losses):
        self.step = step
        self.logits = logits
        self.losses = losses

    @property
    def loss(self):
        return self.losses.mean()


class Results:
    def __init__(self):
        self._by_step = weakref.WeakValueDictionary()

    def put(self, result):
        self._by_step[result.step] = result
        return result

    def __getitem__(self, step):
        return self._by_step[step]

    def __len__(self):
        return len(self._by_step)


class FocalAdvice:
    """Weights for the next epoch's sampler from the losses of this one."""

    def __init__(self, n):
        self.weights = torch.ones(n)

    def on_step(self, results, step, idx):
        self.weights[idx] = 0.5 * self.weights[idx] + 0.5 * results[step].losses.detach().clamp(min=0.05)


class Accuracy:
    def __init__(self, labels):
        self.labels = labels
        self.hits = []

    def on_step(self, results, step, idx):
        self.hits.append((results[step].logits.argmax(1) == self.labels[idx]).float().mean().item())


class Trainer:
    def __init__(self, model, callbacks):
        self.model = model
        self.callbacks = callbacks
        self.results = Results()
        self.opt = torch.optim.SGD(model.parameters(), lr=0.2)
        self.step_no = 0

    def step(self, x, y, idx):
        logits = self.model(x[idx])
        result = self.results.put(StepResult(self.step_no, logits, F.cross_entropy(logits, y[idx], reduction="none")))
        self.opt.zero_grad()
        result.loss.backward()
        self.opt.step()
        for callback in self.callbacks:
            callback.on_step(self.results, self.step_no, idx)
        self.step_no += 1


def main():
    torch.manual_seed(8)
    n = 1200
    x = torch.randn(n, 12)
    y = (x[:, :3].sum(1) * x[:, 3] > 0).long() + (x[:, 4] > 1).long()
    net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 3))
    advice, accuracy = FocalAdvice(n), Accuracy(y)
    trainer = Trainer(net, [advice, accuracy])
    for epoch in range(5):
        accuracy.hits.clear()
        order = torch.multinomial(advice.weights, n, replacement=True)
        for idx in order.split(60):
            trainer.step(x, y, idx)
        print(f"epoch {epoch}: acc {sum(accuracy.hits) / len(accuracy.hits):.3f}, results alive {len(trainer.results)}")


if __name__ == "__main__":
    main()
