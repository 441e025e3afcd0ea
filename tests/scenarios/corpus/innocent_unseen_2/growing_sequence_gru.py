# gradwatch-corpus: kind=none
"""Copy task whose sequences get longer as training goes on."""
import torch
from torch import nn

torch.manual_seed(1)


class Copier(nn.Module):
    def __init__(self, v=10, d=24):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.cell = nn.GRUCell(d, d)
        self.out = nn.Linear(d, v)
        self.states = []

    def forward(self, ids):
        h = torch.zeros(ids.size(0), self.cell.hidden_size)
        self.states = []
        for t in range(ids.size(1)):
            h = self.cell(self.emb(ids[:, t]), h)
            self.states.append(h)
        return self.out(torch.stack(self.states, 1))


net = Copier()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
length = 4
losses = []
for it in range(150):
    if it and it % 10 == 0:
        length += 2
    ids = torch.randint(0, 10, (16, length))
    loss = nn.functional.cross_entropy(net(ids).flatten(0, 1), ids.roll(1, 1).flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    if it % 30 == 0:
        print(it, "len", length, "loss %.3f" % losses[-1])
