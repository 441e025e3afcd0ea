# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import logging
import math
from dataclasses import dataclass

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
logger = logging.getLogger("sentiment")


@dataclass
class TrainArgs:
    vocab: int = 150
    dim: int = 16
    seq_len: int = 14
    batch: int = 32
    max_steps: int = 150
    warmup: int = 30
    base_lr: float = 0.02
    clip: float = 1.0


class BaseTrainer:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.optimizer = torch.optim.SGD(model.parameters(), lr=args.base_lr)
        self.global_step = 0

    def before_batch(self):
        self.optimizer.zero_grad()

    def after_batch(self, loss):
        if self.global_step % 30 == 0:
            logger.info("step %3d  loss %.4f", self.global_step, loss)

    def compute_loss(self, batch):
        raise NotImplementedError

    def _update(self, loss):
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
        self.optimizer.step()  # <- culprit

    def training_step(self, batch):
        self.before_batch()  # <- culprit
        loss = self.compute_loss(batch)
        self._update(loss)  # <- culprit
        self.global_step += 1
        self.after_batch(loss.item())

    def fit(self, batches):
        self.model.train()
        for batch in batches:
            self.training_step(batch)


class WarmupTrainer(BaseTrainer):
    """Linear warmup, cosine decay."""

    def _lr(self):
        a = self.args
        if self.global_step < a.warmup:
            return a.base_lr * (self.global_step + 1) / a.warmup
        done = (self.global_step - a.warmup) / max(1, a.max_steps - a.warmup)
        return 0.5 * a.base_lr * (1 + math.cos(math.pi * done))

    def before_batch(self):  # <- culprit
        lr = self._lr()  # <- culprit
        for group in self.optimizer.param_groups:  # <- culprit
            group["lr"] = lr  # <- culprit


class SentimentTrainer(WarmupTrainer):
    def compute_loss(self, batch):
        tokens, positive = batch
        return nn.functional.binary_cross_entropy_with_logits(self.model(tokens), positive)


class BagSentiment(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, tokens):
        return self.mlp(self.emb(tokens)).squeeze(1)


def reviews(args):
    polarity = torch.randn(args.vocab)
    for _ in range(args.max_steps):
        tokens = torch.randint(0, args.vocab, (args.batch, args.seq_len))
        yield tokens, (polarity[tokens].mean(1) > 0).float()


if __name__ == "__main__":
    torch.manual_seed(8)
    ta = TrainArgs()
    SentimentTrainer(BagSentiment(ta.vocab, ta.dim), ta).fit(reviews(ta))
