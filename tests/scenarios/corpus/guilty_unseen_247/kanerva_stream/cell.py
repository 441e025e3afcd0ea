from collections import namedtuple

import torch
from torch import nn

MemState = namedtuple("MemState", "addr mem strength")


def blank(batch, slots, key, val):
    addr = torch.randn(slots, key).expand(batch, slots, key)
    return MemState(addr, torch.zeros(batch, slots, val), torch.zeros(batch, slots))


class MemoryCell(nn.Module):
    def __init__(self, key, val, slots):
        super().__init__()
        self.slots = slots
        self.embed = nn.Linear(key, key)
        self.value = nn.Linear(val, val)
        self.gate = nn.Linear(key + val, 1)
        self.out = nn.Linear(val, val)

    def weights(self, state, query):
        scores = torch.einsum("bnk,bsk->bns", self.embed(query), state.addr)
        return torch.softmax(scores / query.size(-1) ** 0.5, dim=-1)

    def write(self, state, keys, values):
        w = self.weights(state, keys)
        g = torch.sigmoid(self.gate(torch.cat([keys, values], -1)))
        w = w * g
        erase = 1 - w.mean(1).unsqueeze(-1)
        add = torch.einsum("bns,bnv->bsv", w, self.value(values))
        mem = state.mem * erase + add
        strength = 0.95 * state.strength + w.sum(1)
        return state._replace(mem=mem, strength=strength)  # <- culprit

    def read(self, state, probes):
        w = self.weights(state, probes)
        content = torch.einsum("bns,bsv->bnv", w, state.mem)
        return self.out(content), w
