import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads=2):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.ff = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2)
                   for z in self.qkv(self.n1(x)).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class MemoryTransformer(nn.Module):
    """[read memory | tokens | write memory], tokens causal, write slots see all."""

    def __init__(self, vocab, width, n_mem, max_len):
        super().__init__()
        self.n_mem = n_mem
        self.tok = nn.Embedding(vocab, width)
        nn.init.normal_(self.tok.weight, std=0.2)
        self.pos = nn.Parameter(torch.randn(max_len, width) * 0.02)
        self.mem0 = nn.Parameter(torch.randn(n_mem, width) * 0.02)
        self.write = nn.Parameter(torch.randn(n_mem, width) * 0.02)
        self.block = Block(width)
        self.norm = nn.LayerNorm(width)

    def fresh_memory(self, batch):
        return self.mem0.detach().expand(batch, -1, -1)

    def _mask(self, length, device):
        m = self.n_mem
        size = length + 2 * m
        mask = torch.ones(size, size, dtype=torch.bool, device=device).tril()
        mask[:, :m] = True
        mask[-m:] = True
        return mask

    def forward(self, ids, memory):
        b, t = ids.shape
        x = self.tok(ids) + self.pos[:t]
        write = self.write.expand(b, -1, -1)
        x = torch.cat([memory, x, write], dim=1)
        x = self.block(x, self._mask(t, ids.device))
        tokens, memory = x[:, self.n_mem:-self.n_mem], x[:, -self.n_mem:]
        return self.norm(tokens) @ self.tok.weight.T, memory  # <- culprit
