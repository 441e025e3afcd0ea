# gradwatch-corpus: kind=none
"""Neural Turing machine-ish memory on a delayed echo task, truncated BPTT over one endless stream."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import namedtuple

torch.manual_seed(6)

MemState = namedtuple("MemState", "h M w r")
SLOTS, WIDTH, BITS, DELAY, CHUNK, BATCH = 12, 10, 4, 3, 8, 16


class NTM(nn.Module):
    def __init__(self, hid=40):
        super().__init__()
        self.ctrl = nn.GRUCell(BITS + WIDTH, hid)
        self.heads = nn.Linear(hid, 2 * (WIDTH + 1) + 2 * WIDTH)
        self.out = nn.Linear(hid + WIDTH, BITS)
        self.M0 = nn.Parameter(0.1 * torch.randn(SLOTS, WIDTH))
        self.hid = hid

    def initial(self, n):
        return MemState(torch.zeros(n, self.hid), self.M0.detach().expand(n, -1, -1).clone(),
                        torch.full((n, SLOTS), 1.0 / SLOTS), torch.zeros(n, WIDTH))

    def address(self, M, key, beta):
        sim = F.cosine_similarity(M, key[:, None], dim=-1)
        return F.softmax(F.softplus(beta) * sim, dim=-1)

    def forward(self, x, s):
        h = self.ctrl(torch.cat([x, s.r], 1), s.h)
        kr, br, kw, bw, e, a = self.heads(h).split([WIDTH, 1, WIDTH, 1, WIDTH, WIDTH], 1)
        w = self.address(s.M, kw, bw)
        erase = torch.einsum("bn,bw->bnw", w, e.sigmoid())
        add = torch.einsum("bn,bw->bnw", w, a.tanh())
        M = s.M * (1 - erase) + add
        wr = self.address(M, kr, br)
        r = torch.einsum("bn,bnw->bw", wr, M)
        return self.out(torch.cat([h, r], 1)), MemState(h, M, w, r)


def detach_state(s):
    return MemState(*(t.detach() for t in s))


net = NTM()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
state = net.initial(BATCH)
tail = torch.zeros(DELAY, BATCH, BITS)
losses = []

for it in range(100):
    bits = torch.randint(0, 2, (CHUNK, BATCH, BITS)).float()
    stream = torch.cat([tail, bits])
    target = stream[:CHUNK]
    tail = stream[-DELAY:]

    state = detach_state(state)
    logits = []
    for x in bits:
        y, state = net(x, state)
        logits.append(y)
    loss = F.binary_cross_entropy_with_logits(torch.stack(logits), target)
    loss = loss + 1e-4 * sum(p.square().sum() for p in [net.M0])

    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    losses.append(loss.item())
    if it % 25 == 24:
        print(it + 1, sum(losses[-25:]) / 25)
