# gradwatch-corpus: kind=none
"""Memory-augmented network on a continual copy task.

The memory is NOT reset between sequences (the paper's "lifelong" setting); each
sequence starts from what the last one left, as a constant.
"""
import dataclasses
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclasses.dataclass
class MemState:
    memory: torch.Tensor   # B x N x M
    read: torch.Tensor     # B x M
    hidden: torch.Tensor   # B x H
    usage: torch.Tensor    # B x N

    def cut(self):
        return MemState(**{f.name: getattr(self, f.name).detach() for f in dataclasses.fields(self)})


class ContentHead(nn.Module):
    def __init__(self, hidden, width):
        super().__init__()
        self.key = nn.Linear(hidden, width)
        self.beta = nn.Linear(hidden, 1)

    def forward(self, h, memory):
        sim = F.cosine_similarity(self.key(h)[:, None], memory, dim=-1)
        return torch.softmax(F.softplus(self.beta(h)) * sim, -1)


class MANN(nn.Module):
    def __init__(self, in_dim, hidden=32, slots=8, width=12):
        super().__init__()
        self.slots, self.width, self.hidden = slots, width, hidden
        self.cell = nn.GRUCell(in_dim + width, hidden)
        self.read_head, self.write_head = ContentHead(hidden, width), ContentHead(hidden, width)
        self.erase, self.add = nn.Linear(hidden, width), nn.Linear(hidden, width)
        self.out = nn.Linear(hidden + width, in_dim - 1)
        self.state: Optional[MemState] = None

    def init_state(self, batch):
        self.state = MemState(torch.full((batch, self.slots, self.width), 1e-2) * torch.randn(1, self.slots, self.width),
                              torch.zeros(batch, self.width), torch.zeros(batch, self.hidden),
                              torch.zeros(batch, self.slots))

    def step(self, x):
        s = self.state
        h = self.cell(torch.cat([x, s.read], -1), s.hidden)
        w_w = self.write_head(h, s.memory)
        gate = torch.sigmoid(-s.usage)  # write where little was written lately
        w_w = w_w * gate / (w_w * gate).sum(-1, keepdim=True)
        erase, add = torch.sigmoid(self.erase(h)), torch.tanh(self.add(h))
        memory = s.memory * (1 - w_w[..., None] * erase[:, None]) + w_w[..., None] * add[:, None]
        r_w = self.read_head(h, memory)
        read = torch.einsum("bn,bnm->bm", r_w, memory)
        self.state = MemState(memory, read, h, 0.9 * s.usage + w_w)
        return self.out(torch.cat([h, read], -1))


def copy_batch(batch, length, bits):
    seq = (torch.rand(length, batch, bits) > 0.5).float()
    pad = torch.zeros(length, batch, bits)
    flag = torch.cat([torch.zeros(length, batch, 1), torch.ones(length, batch, 1)])
    return torch.cat([torch.cat([seq, pad]), flag], -1), seq


def main(iters=300, batch=8, bits=4, seed=17):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = MANN(bits + 1)
    model.init_state(batch)
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-3, momentum=0.9)
    usage_trace, errors = [], []
    for it in range(iters):
        length = 2 + it * 2 // iters
        inp, target = copy_batch(batch, length, bits)
        model.state = model.state.cut()
        outs = [model.step(x) for x in inp]
        pred = torch.stack(outs[length:])
        loss = F.binary_cross_entropy_with_logits(pred, target)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 10.0)
        opt.step()
        errors.append(((pred > 0).float() != target).float().mean().item())
        usage_trace.append(model.state.usage.detach().mean(0))
        if (it + 1) % 60 == 0:
            u = torch.stack(usage_trace[-60:]).mean(0)
            print(f"{it + 1:4d}  len {length}  bce {loss.item():.3f}  bit err {sum(errors[-60:]) / 60:.3f}  "
                  f"usage {u.min().item():.2f}..{u.max().item():.2f}")


if __name__ == "__main__":
    main()
