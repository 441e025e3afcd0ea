import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.attn = nn.MultiheadAttention(d_model, n_head, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.GELU(), nn.Linear(2 * d_model, d_model))
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)

    def forward(self, x, mem, mask):
        kv = x if mem is None else torch.cat([mem, x], dim=1)
        a, _ = self.attn(x, kv, kv, attn_mask=mask, need_weights=False)
        x = self.ln1(x + a)
        return self.ln2(x + self.ff(x))


class MemoryTransformer(nn.Module):
    def __init__(self, n_tokens, d_model, n_head, n_layer, mem_len):
        super().__init__()
        self.mem_len = mem_len
        self.emb = nn.Embedding(n_tokens, d_model)
        self.pos = nn.Parameter(0.02 * torch.randn(64, d_model))
        self.layers = nn.ModuleList([Layer(d_model, n_head) for _ in range(n_layer)])
        self.out = nn.Linear(d_model, n_tokens)

    def _update_mems(self, hids, mems):
        new_mems = []
        for i, h in enumerate(hids):
            cat = h if mems is None else torch.cat([mems[i], h], dim=1)
            new_mems.append(cat[:, -self.mem_len:].detach())
        return new_mems

    def forward(self, tokens, mems=None):
        T = tokens.size(1)
        M = 0 if mems is None else mems[0].size(1)
        x = self.emb(tokens) + self.pos[:T]
        mask = torch.ones(T, M + T).triu(1 + M).bool()
        hids = []
        for i, layer in enumerate(self.layers):
            hids.append(x)
            x = layer(x, None if mems is None else mems[i], mask)
        return self.out(x), self._update_mems(hids, mems)
