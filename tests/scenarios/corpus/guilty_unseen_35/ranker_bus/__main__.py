# gradwatch-corpus: kind=graph-held
# holder: self.timeline | recorder.timeline | self.timeline[-1].output.loss | self.timeline[-1].output | self.timeline[-1] | recorder.timeline[-1].output.loss | event.output.loss | event.output | event
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F

from . import bus
from .recorder import EpochTimer, RunRecorder

EPOCHS = 4
QUERIES_PER_EPOCH = 25
DOCS = 20
FEATURES = 14


class Ranker(nn.Module):
    def __init__(self, d, hidden=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, hidden), nn.ELU(), nn.LayerNorm(hidden), nn.Linear(hidden, 1))

    def forward(self, docs):
        return self.body(docs).squeeze(-1)


def listwise_loss(scores, relevance):
    return -(F.softmax(relevance, dim=-1) * F.log_softmax(scores, dim=-1)).sum(-1).mean()


def queries(count, generator, taste):
    for _ in range(count):
        docs = torch.randn(8, DOCS, FEATURES, generator=generator)
        yield docs, 2.0 * (docs @ taste).tanh()


class RankingTask:
    def __init__(self, lr):
        self.model = Ranker(FEATURES)
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=lr)

    def train_step(self, docs, relevance):
        scores = self.model(docs)
        loss = listwise_loss(scores, relevance)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        best = relevance.gather(1, scores.argmax(1, keepdim=True)).mean().item()
        return bus.StepOutput(loss=loss, gain=best)  # <- culprit


def main():
    torch.manual_seed(4)
    generator = torch.Generator().manual_seed(40)
    taste = torch.randn(FEATURES, generator=generator) / FEATURES ** 0.5
    task = RankingTask(lr=2e-3)
    recorder = RunRecorder()
    bus.subscribe(bus.BatchDone, recorder.on_batch)
    bus.subscribe(bus.EpochDone, recorder.on_epoch)
    bus.subscribe(bus.EpochDone, EpochTimer())

    step = 0
    for epoch in range(EPOCHS):
        for docs, relevance in queries(QUERIES_PER_EPOCH, generator, taste):
            bus.publish(bus.BatchDone(epoch, step, task.train_step(docs, relevance)))  # <- culprit
            step += 1
        bus.publish(bus.EpochDone(epoch))
    print("best epoch:", recorder.best_epoch())


if __name__ == "__main__":
    main()
