import torch
import torch.nn as nn


def repackage(s):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(s, torch.Tensor):
        return s.detach()
    if isinstance(s, dict):
        return {k: repackage(v) for k, v in s.items()}
    return tuple(repackage(v) for v in s)


class MemoryLM(nn.Module):
    def __init__(self, ntokens, emb, hid, slots):
        super().__init__()
        self.emb = nn.Embedding(ntokens, emb)
        self.cell = nn.LSTMCell(emb + hid, hid)
        self.key = nn.Linear(hid, hid)
        self.write = nn.Linear(hid, hid)
        self.gate = nn.Linear(hid, slots)
        self.dec = nn.Linear(2 * hid, ntokens)
        self.hid, self.slots = hid, slots

    def init_state(self, n):
        w = self.emb.weight
        return {"hc": (w.new_zeros(n, self.hid), w.new_zeros(n, self.hid)), "mem": w.new_zeros(n, self.slots, self.hid), "read": w.new_zeros(n, self.hid)}

    def forward(self, tokens, state):
        (h, c), mem, read = state["hc"], state["mem"], state["read"]
        outs = []
        for x in self.emb(tokens):
            h, c = self.cell(torch.cat([x, read], -1), (h, c))
            score = (mem @ self.key(h).unsqueeze(-1)).squeeze(-1) / self.hid ** 0.5
            read = (score.softmax(-1).unsqueeze(-1) * mem).sum(1)
            g = self.gate(h).softmax(-1).unsqueeze(-1)
            mem = mem * (1 - g) + g * torch.tanh(self.write(h)).unsqueeze(1)
            outs.append(self.dec(torch.cat([h, read], -1)))
        return torch.stack(outs), {"hc": (h, c), "mem": mem, "read": read}
