# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
# about: after the warm-up small attention weights are zeroed in place, behind softmax's back
import torch
from torch import nn


class PooledAttention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.score = nn.Linear(dim, 1)
        self.value = nn.Linear(dim, dim)
        self.floor = None

    def prune(self, attn):
        attn[attn < self.floor] = 0.0  # <- culprit
        return attn

    def forward(self, tokens):
        attn = self.score(tokens).softmax(dim=1)
        if self.floor is not None:
            attn = self.prune(attn)  # <- culprit
        return (attn * self.value(tokens)).sum(dim=1)


class Job:
    def __init__(self):
        self.pool = PooledAttention()
        self.head = nn.Linear(16, 2)
        params = [*self.pool.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.Adam(params, lr=1e-3)

    def epoch(self, batches):
        for _ in range(batches):
            tokens = torch.randn(8, 10, 16)
            y = (tokens[:, 0, 0] > 0).long()
            loss = nn.functional.cross_entropy(self.head(self.pool(tokens)), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def run(self):
        for epoch in range(4):
            if epoch == 2:
                self.pool.floor = 0.05  # <- culprit
            self.epoch(15)


if __name__ == "__main__":
    torch.manual_seed(0)
    Job().run()
