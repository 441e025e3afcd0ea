from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

from losses import LOSSES
from memory import TopicMemory


class BagEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.words = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, tokens):
        return F.normalize(torch.tanh(self.words(tokens) + self.shift), dim=-1)


class Engine:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder = BagEncoder(cfg["vocab"], cfg["dim"])
        self.memory = TopicMemory(cfg["n_topics"], cfg["dim"], cfg["momentum"])
        self.ctx = SimpleNamespace(centroids=self.memory.table, seen=0)
        self.loss_fn = LOSSES[cfg["loss"]]
        self.opt = torch.optim.AdamW(self.encoder.parameters(), lr=cfg["lr"])

    def run_iter(self, batch):
        q, k = self.encoder(batch["query"]), self.encoder(batch["clause"])
        loss = self.loss_fn(self.ctx, q, k, batch["topic"], self.cfg["tau"])
        self.opt.zero_grad()
        # the centroids share the clause branch with the pair term
        loss.backward(retain_graph=True)
        self.opt.step()
        self.ctx.centroids = self.memory.fold(k, batch["topic"])  # <- culprit
        self.ctx.seen += len(q)
        return {"loss": loss.item(), "seen": self.ctx.seen}

    @torch.no_grad()
    def evaluate(self, batch):
        score = self.encoder(batch["query"]) @ F.normalize(self.ctx.centroids, dim=-1).t()
        return (score.argmax(-1) == batch["topic"]).float().mean().item()
