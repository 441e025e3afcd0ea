# gradwatch-corpus: kind=none
"""Online click model whose labels arrive a few requests late; predictions wait for their label."""
from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(25)

DELAY = 4


class Pending(NamedTuple):
    request: int
    logit: torch.Tensor
    label: torch.Tensor


class HashedLogit(nn.Module):
    def __init__(self, buckets=512):
        super().__init__()
        self.w = nn.EmbeddingBag(buckets, 1, mode="sum")
        nn.init.zeros_(self.w.weight)
        self.bias = nn.Parameter(torch.zeros(1))
        self.buckets = buckets

    def forward(self, feats):
        return self.w(feats % self.buckets).squeeze(1) + self.bias


class Traffic:
    def __init__(self, n_users=50, n_ads=40):
        self.users, self.ads = torch.randn(n_users), torch.randn(n_ads)

    def request(self, n):
        u, a = torch.randint(0, len(self.users), (n,)), torch.randint(0, len(self.ads), (n,))
        click = torch.rand(n) < torch.sigmoid(1.5 * self.users[u] + 1.5 * self.ads[a] - 0.5)
        return torch.stack([u, 1000 + a, 7919 * u + 31 * a], 1), click.float()


class DelayedLearner:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.waiting = deque(maxlen=DELAY + 1)

    def serve(self, k, feats, label):
        logit = self.model(feats)
        self.waiting.append(Pending(k, logit, label))
        return torch.sigmoid(logit.detach())

    def learn(self, now):
        done = None
        while self.waiting and self.waiting[0].request <= now - DELAY:
            item = self.waiting.popleft()
            loss = F.binary_cross_entropy_with_logits(item.logit, item.label)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            done = loss.item()
        return done


def main(requests=160):
    traffic = Traffic()
    learner = DelayedLearner(HashedLogit(), lr=2.0)
    logloss, served = [], []
    for k in range(requests):
        feats, label = traffic.request(64)
        served.append(learner.serve(k, feats, label).mean().item())
        got = learner.learn(k)
        if got is not None:
            logloss.append(got)
        if k % 40 == 39:
            print(f"request {k + 1}: logloss {sum(logloss[-20:]) / 20:.4f} ctr {sum(served[-20:]) / 20:.3f}")


if __name__ == "__main__":
    main()
