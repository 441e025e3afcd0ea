# gradwatch-corpus: kind=second-backward
# holder: self.store.mem | tgn.store.mem | self.mem | self.store | tgn.store
# first-bad: 2
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class NodeStore:
    mem: torch.Tensor
    last_t: torch.Tensor

    @classmethod
    def zeros(cls, n, d):
        return cls(torch.zeros(n, d), torch.zeros(n))

    def write(self, idx, values, t):
        self.mem = self.mem.index_copy(0, idx, values)  # <- culprit
        self.last_t[idx] = t


class TimeEncode(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(1, d)

    def forward(self, dt):
        return torch.cos(self.lin(dt.unsqueeze(-1)))


class TGN(nn.Module):
    def __init__(self, n_nodes, d=24, edge_dim=6):
        super().__init__()
        self.te = TimeEncode(8)
        self.msg = nn.Sequential(nn.Linear(2 * d + edge_dim + 8, 48), nn.ReLU(), nn.Linear(48, d))
        self.cell = nn.GRUCell(d, d)
        self.static = nn.Embedding(n_nodes, d)
        self.link = nn.Sequential(nn.Linear(2 * d, 32), nn.ReLU(), nn.Linear(32, 1))
        self.store = NodeStore.zeros(n_nodes, d)

    def embed(self, idx):
        return self.store.mem[idx] + self.static(idx)

    def predict(self, src, dst):
        return self.link(torch.cat([self.embed(src), self.embed(dst)], -1)).squeeze(-1)

    def ingest(self, src, dst, t, feat):
        a, b = self.store.mem[src], self.store.mem[dst]
        dt_s, dt_d = t - self.store.last_t[src], t - self.store.last_t[dst]
        m_src = self.msg(torch.cat([a, b, feat, self.te(dt_s)], -1))
        m_dst = self.msg(torch.cat([b, a, feat, self.te(dt_d)], -1))
        idx, msgs = torch.cat([src, dst]), torch.cat([m_src, m_dst])
        nodes, inv = idx.unique(return_inverse=True)
        agg = torch.zeros(len(nodes), msgs.shape[1]).index_add(0, inv, msgs)
        cnt = torch.bincount(inv).unsqueeze(-1)
        new = self.cell(agg / cnt, self.store.mem[nodes])
        self.store.write(nodes, new, t.max())  # <- culprit


def event_batches(n_nodes, n_batches, bs=60, seed=0):
    g = torch.Generator().manual_seed(seed)
    now = 0.0
    half = n_nodes // 2
    for _ in range(n_batches):
        src = torch.randint(0, half, (bs,), generator=g)
        dst = half + (src * 7 + torch.randint(0, 4, (bs,), generator=g)) % half
        t = now + torch.rand(bs, generator=g).sort().values
        now += 1.0
        yield src, dst, t, torch.randn(bs, 6, generator=g)


def train_on_batch(tgn, opt, src, dst, t, feat):
    neg = dst[torch.randperm(len(dst))]
    pos_logit, neg_logit = tgn.predict(src, dst), tgn.predict(src, neg)
    loss = F.binary_cross_entropy_with_logits(torch.cat([pos_logit, neg_logit]),
                                              torch.cat([torch.ones(len(src)), torch.zeros(len(src))]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    tgn.ingest(src, dst, t, feat)
    ap = (pos_logit > neg_logit).float().mean().item()
    return loss.item(), ap


def main():
    torch.manual_seed(0)
    tgn = TGN(80)
    opt = torch.optim.Adam(tgn.parameters(), lr=3e-3)
    for i, batch in enumerate(event_batches(80, 100)):
        loss, ap = train_on_batch(tgn, opt, *batch)
        print(f"batch {i}: {loss:.4f} rank-acc {ap:.3f}")


if __name__ == "__main__":
    main()
