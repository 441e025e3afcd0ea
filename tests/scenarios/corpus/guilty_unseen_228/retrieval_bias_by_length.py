# gradwatch-corpus: kind=second-backward
# holder: self._bias_by_len | model.attn._bias_by_len
# first-bad: 4
"""Ticket routing with a small attention encoder, batches bucketed by length."""
import itertools

import torch
from torch import nn
import torch.nn.functional as F


class RelativeAttention(nn.Module):
    def __init__(self, dim, heads, max_distance=32):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.distance = nn.Embedding(2 * max_distance + 1, 8)
        self.to_bias = nn.Linear(8, heads)
        self.max_distance = max_distance
        self._bias_by_len = {}

    def position_bias(self, length):
        if length not in self._bias_by_len:
            pos = torch.arange(length)
            rel = (pos[None, :] - pos[:, None]).clamp(-self.max_distance, self.max_distance)
            table = torch.tanh(self.distance(rel + self.max_distance))
            self._bias_by_len[length] = self.to_bias(table).permute(2, 0, 1)  # <- culprit
        return self._bias_by_len[length]  # <- culprit

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5
        weights = (scores + self.position_bias(n)).softmax(-1)
        out = (weights @ v).transpose(1, 2).reshape(b, n, d)
        return self.proj(out)


class TicketRouter(nn.Module):
    def __init__(self, vocab=200, dim=32, teams=5):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.attn = RelativeAttention(dim, heads=4)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, teams)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = self.norm(x + self.attn(x))
        return self.head(x.mean(1))


def bucketed_batches(steps, batch_size, vocab=200, teams=5):
    for step, length in zip(range(steps), itertools.cycle((8, 12, 16, 24))):
        team = torch.randint(0, teams, (batch_size,))
        tokens = torch.randint(0, vocab, (batch_size, length))
        tokens[:, : length // 4] = team[:, None] * 7 + 3
        yield step, tokens, team


def main():
    torch.manual_seed(61)
    model = TicketRouter()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    for step, tokens, team in bucketed_batches(100, 16):
        logits = model(tokens)
        loss = F.cross_entropy(logits, team)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"step={step} len={tokens.shape[1]} loss={loss.item():.3f}")


if __name__ == "__main__":
    main()
