import math

import torch
import torch.nn as nn


class PointerPolicy(nn.Module):
    def __init__(self, dim, clip=8.0):
        super().__init__()
        self.lift = nn.Linear(2, dim)
        self.mix = nn.TransformerEncoderLayer(dim, 2, 2 * dim, dropout=0.0, batch_first=True)
        self.query = nn.Linear(3 * dim, dim)
        self.key = nn.Linear(dim, dim, bias=False)
        self.clip = clip

    def embed(self, coords):
        h = self.mix(self.lift(coords))
        return h, self.key(h)

    @staticmethod
    def _at(h, idx):
        return h[torch.arange(h.size(0)), idx]

    def scores(self, emb, env):
        h, k = emb
        ctx = torch.cat([h.mean(1), self._at(h, env.first), self._at(h, env.last)], -1)
        q = self.query(ctx).unsqueeze(1)
        s = (q * k).sum(-1) / math.sqrt(k.size(-1))
        s = self.clip * torch.tanh(s)
        return s.masked_fill(env.mask(), float("-inf"))  # <- culprit

    def pick(self, emb, env, greedy):
        logits = self.scores(emb, env)
        dist = torch.distributions.Categorical(logits=logits)
        idx = logits.argmax(1) if greedy else dist.sample()
        return idx, dist.log_prob(idx)
