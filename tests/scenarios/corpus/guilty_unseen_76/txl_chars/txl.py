import torch
import torch.nn as nn


class MemAttention(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.n_head = n_head
        self.d_head = d_model // n_head
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.kv = nn.Linear(d_model, 2 * d_model, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, h, mem):
        c = torch.cat([mem, h], dim=0) if mem.numel() else h
        qlen, bsz, _ = h.shape
        klen = c.size(0)
        q = self.q(h).view(qlen, bsz, self.n_head, self.d_head)
        k, v = self.kv(c).view(klen, bsz, self.n_head, 2 * self.d_head).chunk(2, dim=-1)
        score = torch.einsum("ibnd,jbnd->ijbn", q, k) / self.d_head ** 0.5
        mask = torch.ones(qlen, klen).triu(1 + klen - qlen).bool()
        prob = score.masked_fill(mask[:, :, None, None], -1e4).softmax(dim=1)
        vec = torch.einsum("ijbn,jbnd->ibnd", prob, v).reshape(qlen, bsz, -1)
        return self.norm(h + self.o(vec))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.attn = MemAttention(d_model, n_head)
        self.ff = nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.ReLU(), nn.Linear(2 * d_model, d_model))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, h, mem):
        h = self.attn(h, mem)
        return self.norm(h + self.ff(h))


class MemTransformerLM(nn.Module):
    def __init__(self, vocab, n_layer, d_model, n_head, mem_len):
        super().__init__()
        self.emb = nn.Embedding(vocab, d_model)
        self.layers = nn.ModuleList(DecoderLayer(d_model, n_head) for _ in range(n_layer))
        self.out = nn.Linear(d_model, vocab)
        self.mem_len = mem_len
        self.mems = [torch.empty(0) for _ in range(n_layer)]

    def _update_mems(self, hids):
        new_mems = []
        for mem, h in zip(self.mems, hids):
            cat = torch.cat([mem, h], dim=0) if mem.numel() else h
            new_mems.append(cat[-self.mem_len:])  # <- culprit
        self.mems = new_mems  # <- culprit

    def forward(self, data):
        h = self.emb(data)
        hids = []
        for layer, mem in zip(self.layers, self.mems):
            hids.append(h)
            h = layer(h, mem)
        self._update_mems(hids)
        return self.out(h)
