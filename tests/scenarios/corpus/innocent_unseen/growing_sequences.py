# gradwatch-corpus: kind=none
"""Curriculum: sequences grow by one token every two steps, so graphs rightly grow as well."""
import torch
from torch import nn


class Copier(nn.Module):
    def __init__(self, vocab=12, hid=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.cell = nn.GRUCell(16, hid)
        self.out = nn.Linear(hid, vocab)
        self.hid = hid

    def forward(self, seq):
        h = seq.new_zeros(seq.size(0), self.hid, dtype=torch.float)
        logits = []
        for tok in seq.unbind(1):
            h = self.cell(self.emb(tok), h)
            logits.append(self.out(h))
        return torch.stack(logits, 1)


def curriculum(steps):
    for s in range(steps):
        yield s, 4 + s // 2


torch.manual_seed(10)
net = Copier()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for s, length in curriculum(130):
    seq = torch.randint(12, (8, length))
    target = seq.roll(1, 1)
    loss = nn.functional.cross_entropy(net(seq)[:, 1:].flatten(0, 1), target[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if s % 26 == 0:
        print(s, length, loss.item())
