# gradwatch-corpus: kind=graph-chain
# holder: self.model.prior.smooth | self.smooth | self.prior.smooth | model.prior.smooth | prior.smooth
# first-bad: 1
"""BPR matrix factorisation with a smoothed popularity prior, on synthetic implicit feedback.
Part of the toolkit's `models/general` examples."""
import logging
import math
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
logger = logging.getLogger("bpr")


@dataclass
class Config:
    n_users: int = 200
    n_items: int = 300
    embedding_size: int = 24
    train_batch_size: int = 256
    learning_rate: float = 5e-3
    reg_weight: float = 1e-4
    prior_rate: float = 0.05
    epochs: int = 6
    steps_per_epoch: int = 60
    topk: int = 10
    seed: int = 2020


class Interactions:
    """Users with latent taste, items with a long-tailed popularity."""

    def __init__(self, cfg):
        g = torch.Generator().manual_seed(cfg.seed)
        taste = torch.randn(cfg.n_users, 6, generator=g)
        style = torch.randn(cfg.n_items, 6, generator=g)
        pop = -1.2 * torch.arange(1, cfg.n_items + 1).float().log()
        p = torch.softmax(taste @ style.T + pop, dim=1)
        picked = torch.multinomial(p, 25, generator=g)
        self.train, self.test = picked[:, :20], picked[:, 20:]
        self.seen = torch.zeros(cfg.n_users, cfg.n_items, dtype=torch.bool).scatter_(1, self.train, True)
        self.cfg, self.g = cfg, g

    def sample(self):
        n = self.cfg.train_batch_size
        user = torch.randint(self.cfg.n_users, (n,), generator=self.g)
        pos = self.train[user, torch.randint(self.train.shape[1], (n,), generator=self.g)]
        neg = torch.randint(self.cfg.n_items, (n,), generator=self.g)
        clash = self.seen[user, neg]
        neg[clash] = torch.randint(self.cfg.n_items, (int(clash.sum()),), generator=self.g)
        return {"user_id": user, "item_id": pos, "neg_item_id": neg}


class PopularityPrior(nn.Module):
    """The item biases, smoothed over training steps; the raw ones follow every batch too closely."""

    def __init__(self, n_items, rate):
        super().__init__()
        self.rate = rate
        self.bias = nn.Parameter(torch.zeros(n_items))
        self.register_buffer("smooth", torch.zeros(n_items))

    def forward(self):
        if self.training:
            self.smooth = torch.lerp(self.smooth, self.bias, self.rate)  # <- culprit
        return self.smooth


class GeneralRecommender(nn.Module):
    def calculate_loss(self, interaction):
        raise NotImplementedError

    def full_sort_predict(self, users):
        raise NotImplementedError


class BPR(GeneralRecommender):
    def __init__(self, cfg):
        super().__init__()
        self.user_embedding = nn.Embedding(cfg.n_users, cfg.embedding_size)
        self.item_embedding = nn.Embedding(cfg.n_items, cfg.embedding_size)
        self.prior = PopularityPrior(cfg.n_items, cfg.prior_rate)
        self.reg_weight = cfg.reg_weight
        for emb in (self.user_embedding, self.item_embedding):
            nn.init.normal_(emb.weight, std=1 / math.sqrt(cfg.embedding_size))

    def calculate_loss(self, interaction):
        u = self.user_embedding(interaction["user_id"])
        i = self.item_embedding(interaction["item_id"])
        j = self.item_embedding(interaction["neg_item_id"])
        prior = self.prior()
        pos = (u * i).sum(-1) + prior[interaction["item_id"]]
        neg = (u * j).sum(-1) + prior[interaction["neg_item_id"]]
        reg = u.pow(2).sum() + i.pow(2).sum() + j.pow(2).sum()
        return -F.logsigmoid(pos - neg).mean() + self.reg_weight * reg / len(u)

    def full_sort_predict(self, users):
        return self.user_embedding(users) @ self.item_embedding.weight.T + self.prior()


class Trainer:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.learning_rate)
        self.best_valid_score = 0.0

    def _train_epoch(self, data):
        self.model.train()
        total_loss = 0.0
        for _ in range(self.cfg.steps_per_epoch):
            interaction = data.sample()
            self.optimizer.zero_grad()
            loss = self.model.calculate_loss(interaction)
            loss.backward()
            self.optimizer.step()
            total_loss += loss.item()
        return total_loss / self.cfg.steps_per_epoch

    @torch.no_grad()
    def evaluate(self, data):
        self.model.eval()
        users = torch.arange(self.cfg.n_users)
        scores = self.model.full_sort_predict(users).masked_fill(data.seen, -torch.inf)
        top = scores.topk(self.cfg.topk, dim=1).indices
        hit = (top.unsqueeze(2) == data.test.unsqueeze(1)).any(dim=1)
        return hit.float().mean().item()

    def fit(self, data):
        for epoch in range(self.cfg.epochs):
            loss = self._train_epoch(data)
            recall = self.evaluate(data)
            self.best_valid_score = max(self.best_valid_score, recall)
            logger.info("epoch %d training [train loss: %.4f] recall@%d: %.4f", epoch, loss, self.cfg.topk, recall)
        return self.best_valid_score


if __name__ == "__main__":
    config = Config()
    torch.manual_seed(config.seed)
    best = Trainer(config, BPR(config)).fit(Interactions(config))
    logger.info("best recall %.4f", best)
