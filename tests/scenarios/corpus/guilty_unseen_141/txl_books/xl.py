import torch
import torch.nn as nn
import torch.nn.functional as F


class RelAttn(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.slope = nn.Parameter(torch.tensor(0.1))

    def forward(self, h, mem):
        ctx = torch.cat([mem, h], 1)
        k, v = self.kv(ctx).chunk(2, -1)
        n, m = h.size(1), mem.size(1)
        dist = (torch.arange(m, m + n)[:, None] - torch.arange(m + n)[None]).float()
        score = self.q(h) @ k.transpose(1, 2) / k.size(-1) ** 0.5 - self.slope * dist
        return h + self.o(score.masked_fill(dist < 0, -1e9).softmax(-1) @ v)


class SegmentLM(nn.Module):
    def __init__(self, vocab, d, layers, mem_len):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.att = nn.ModuleList(RelAttn(d) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        nn.init.normal_(self.emb.weight, std=0.3)
        self.mem_len = mem_len
        self.mems = None

    def _remember(self, hiddens):
        joined = [torch.cat([m, h], 1) for m, h in zip(self.mems, hiddens)]
        self.mems = [j[:, -self.mem_len:] for j in joined]  # <- culprit

    def forward(self, ids):
        h = self.emb(ids)
        if self.mems is None:
            self.mems = [h.new_zeros(h.size(0), 0, h.size(2)) for _ in self.att]
        seen = []
        for att, mem in zip(self.att, self.mems):
            seen.append(h)
            h = att(h, mem)
        self._remember(seen)
        return self.norm(h) @ self.emb.weight.t()

    def loss(self, src, tgt):
        return F.cross_entropy(self(src).transpose(1, 2), tgt)
