import torch
from torch import nn


class FrozenCore(nn.Module):
    """Stands for the pretrained backbone: one causal attention block, never updated."""

    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.mix = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, h):
        q, k, v = self.qkv(self.norm(h)).chunk(3, -1)
        n = h.size(1)
        mask = torch.ones(n, n).tril().bool()
        att = (q @ k.transpose(1, 2) / h.size(-1) ** 0.5).masked_fill(~mask, -1e9)
        return h + torch.tanh(self.mix(att.softmax(-1) @ v))


class MemoryCell(nn.Module):
    def __init__(self, core, dim, mem_tokens):
        super().__init__()
        self.core = core
        self.register_buffer("mem_init", 0.1 * torch.randn(mem_tokens, dim), persistent=False)
        self.mem_tokens = mem_tokens
        self.memory = None
        self.carry = False

    def read(self, batch):
        if self.memory is None or not self.carry:
            return self.mem_init.expand(batch, -1, -1)
        return self.memory

    def forward(self, tokens):
        m = self.mem_tokens
        mem = self.read(tokens.size(0))
        write = self.mem_init.expand(tokens.size(0), -1, -1)
        out = self.core(torch.cat([mem, tokens, write], 1))
        self.memory = out[:, -m:]  # <- culprit
        return out[:, m:-m]


class MemoryLM(nn.Module):
    def __init__(self, vocab, dim, mem_tokens, prompt_tokens):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.embed.weight.requires_grad_(False)
        self.prompt = nn.Parameter(0.1 * torch.randn(prompt_tokens, dim))
        self.cell = MemoryCell(FrozenCore(dim), dim, mem_tokens)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        tok = self.embed(ids)
        pre = self.prompt.expand(ids.size(0), -1, -1)
        out = self.cell(torch.cat([pre, tok], 1))
        return self.head(out[:, self.prompt.size(0):])
