# gradwatch-corpus: kind=graph-held
# holder: mailbox.pending | self.pending | net.mailbox.pending | self.mailbox.pending
# first-bad: 1
# notice: 8
from collections import defaultdict
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class Mailbox:
    def __init__(self, dim):
        self.dim = dim
        self.pending = defaultdict(list)

    def put(self, nodes, msgs, t):
        for n, m in zip(nodes.tolist(), msgs):
            self.pending[n].append((t, m))  # <- culprit

    def latest(self, nodes):
        rows = []
        for n in nodes.tolist():
            box = self.pending.get(n)
            rows.append(box[-1][1].detach() if box else torch.zeros(self.dim))
        return torch.stack(rows)


class TemporalNet(nn.Module):
    def __init__(self, n_nodes, dim=8, efeat=3):
        super().__init__()
        self.register_buffer("memory", torch.zeros(n_nodes, dim))
        self.mailbox = Mailbox(dim)
        self.message = nn.Sequential(nn.Linear(2 * dim + efeat, dim), nn.Tanh())
        self.update = nn.GRUCell(dim, dim)
        self.embed = nn.Linear(dim, dim)
        self.score = nn.Bilinear(dim, dim, 1)

    def refresh(self, nodes):
        return self.update(self.mailbox.latest(nodes), self.memory[nodes])

    def forward(self, src, dst, neg, ef, t):
        ms, md, mn = (self.refresh(n) for n in (src, dst, neg))
        zs, zd, zn = (torch.relu(self.embed(m)) for m in (ms, md, mn))
        self.remember(src, dst, ms, md, ef, t)
        return self.score(zs, zd), self.score(zs, zn)

    def remember(self, src, dst, ms, md, ef, t):
        self.memory[src] = ms.detach()
        self.memory[dst] = md.detach()
        self.mailbox.put(src, self.message(torch.cat([ms, md, ef], 1)), t)
        self.mailbox.put(dst, self.message(torch.cat([md, ms, ef], 1)), t)


def events(n_nodes, steps, batch):
    for t in range(steps):
        src = torch.randint(0, n_nodes // 2, (batch,))
        yield t, src, src + n_nodes // 2, torch.randint(n_nodes // 2, n_nodes, (batch,)), torch.randn(batch, 3)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = TemporalNet(24)
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
    for t, src, dst, neg, ef in events(24, 320, 5):
        pos, negs = net(src, dst, neg, ef, t)
        loss = F.softplus(-pos).mean() + F.softplus(negs).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if t % 64 == 0:
            print(t, round(loss.item(), 4))
