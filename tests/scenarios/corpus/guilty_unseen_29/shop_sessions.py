# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state
# first-bad: 25
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def bpr(pos_score, neg_scores):
    """-log sigma(pos - neg), mean over negatives"""
    return -F.logsigmoid(pos_score.unsqueeze(1) - neg_scores).mean()


class SessionRecommender(nn.Module):
    def __init__(self, n_items, dim, users):
        super().__init__()
        self.embed = nn.Embedding(n_items, dim)
        self.target = nn.Embedding(n_items, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.users = users
        self.dim = dim
        self.state = torch.zeros(users, dim)

    def forward(self, clicks, pos, neg, update=False):
        """clicks: (T, users); pos: (users,); neg: (users, K)"""
        h = self.state
        for item in clicks:
            h = self.gru(self.embed(item), h)
        if update:
            self.state = h  # <- culprit
        pos_score = (h * self.target(pos)).sum(-1)
        neg_scores = torch.einsum("ud,ukd->uk", h, self.target(neg))
        return pos_score, neg_scores


class ClickLog:
    def __init__(self, n_items, users, window):
        self.n_items, self.users, self.window = n_items, users, window
        self.taste = torch.randint(n_items, (users, 4))

    def _pick(self):
        return self.taste.gather(1, torch.randint(4, (self.users, 1))).squeeze(1)

    def window_of_clicks(self):
        return torch.stack([self._pick() for _ in range(self.window)]), self._pick()

    def negatives(self, k):
        return torch.randint(self.n_items, (self.users, k))


def train(model, log, opt, sessions, per_day, k):
    model.train()
    for i in range(sessions):
        clicks, pos = log.window_of_clicks()
        end_of_day = (i + 1) % per_day == 0
        pos_score, neg_scores = model(clicks, pos, log.negatives(k), update=end_of_day)
        loss = bpr(pos_score, neg_scores)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        if end_of_day:
            auc = (pos_score.unsqueeze(1) > neg_scores).float().mean().item()
            print("session {:3d}  bpr {:.4f}  auc {:.3f}".format(i + 1, loss.item(), auc))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--items", default=120, type=int)
    p.add_argument("--users", default=16, type=int)
    p.add_argument("--dim", default=16, type=int)
    p.add_argument("--sessions", default=150, type=int)
    p.add_argument("--per-day", default=25, type=int)
    a = p.parse_args()
    torch.manual_seed(17)
    model = SessionRecommender(a.items, a.dim, a.users)
    train(model, ClickLog(a.items, a.users, window=4),
          torch.optim.Adagrad(model.parameters(), lr=0.05), a.sessions, a.per_day, k=5)
