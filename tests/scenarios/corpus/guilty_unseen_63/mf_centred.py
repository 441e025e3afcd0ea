# gradwatch-corpus: kind=graph-chain
# holder: trainer.score_mean | self.score_mean
# first-bad: 1
# notice: 5
"""Implicit-feedback matrix factorisation with scores centred by a running mean.

Popular catalogues push all the dot products upwards; subtracting the running
mean of the scores keeps the logits around zero.
"""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


class Interactions:
    """Users and items have hidden tastes; positives are drawn from the affine pairs."""

    def __init__(self, n_users, n_items, dim=4):
        tastes = torch.randn(n_users, dim)
        genres = torch.randn(n_items, dim)
        affinity = tastes @ genres.t() + 0.5 * torch.randn(n_users, n_items)
        self.likes = affinity > 1.0
        self.pairs = self.likes.nonzero()
        self.n_items = n_items

    def batch(self, n):
        rows = self.pairs[torch.randint(0, len(self.pairs), (n,))]
        user = rows[:, 0].repeat(2)
        item = torch.cat([rows[:, 1], torch.randint(0, self.n_items, (n,))])
        label = self.likes[user, item].float()
        return user, item, label


class Factors(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, user, item):
        u, v = self.user(user), self.item(item)
        reg = u.pow(2).sum(1).mean() + v.pow(2).sum(1).mean()
        return (u * v).sum(1) + self.item_bias(item).squeeze(1), reg


class Trainer:
    def __init__(self, model, lr, momentum=0.9, l2=1e-3):
        self.model = model
        self.momentum = momentum
        self.l2 = l2
        self.score_mean = torch.zeros(())
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def centre(self, scores):
        """Update the running mean with this batch and subtract it."""
        self.score_mean = self.momentum * self.score_mean + (1 - self.momentum) * scores.mean()  # <- culprit
        return scores - self.score_mean

    def step(self, user, item, label):
        scores, reg = self.model(user, item)
        logits = self.centre(scores)
        loss = F.binary_cross_entropy_with_logits(logits, label) + self.l2 * reg
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def auc(self, user, item, label):
        scores, _ = self.model(user, item)
        pos, neg = scores[label > 0.5], scores[label < 0.5]
        return (pos.unsqueeze(1) > neg.unsqueeze(0)).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--dim", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(5)
    data = Interactions(n_users=80, n_items=120)
    trainer = Trainer(Factors(80, 120, args.dim), args.lr)
    smooth = 0.0
    for step in range(args.steps):
        value = trainer.step(*data.batch(args.batch))
        smooth = value if step == 0 else 0.9 * smooth + 0.1 * value
        if (step + 1) % 20 == 0:
            print(f"step {step + 1} loss {smooth:.4f} auc {trainer.auc(*data.batch(256)):.3f} "
                  f"mean score {trainer.score_mean.item():+.3f}")


if __name__ == "__main__":
    main()
