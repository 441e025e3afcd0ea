# gradwatch-corpus: kind=crashed
# line: lightgcn_bpr.py:23: w = self.emb.weight.data
# first-bad: 0
# notice: 0
"""LightGCN on synthetic implicit feedback, BPR objective."""
import torch
torch.set_num_threads(1)
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
N_USERS, N_ITEMS, DIM = 40, 60, 16


class NormalisedTable(nn.Module):
    def __init__(self, rows, dim):
        super().__init__()
        self.emb = nn.Embedding(rows, dim)
        nn.init.normal_(self.emb.weight, std=0.1)

    @property
    def table(self):
        w = self.emb.weight.data  # <- culprit
        return w / w.norm(dim=1, keepdim=True).clamp_min(1e-6)

    def __len__(self):
        return self.emb.num_embeddings


class LightGCN(nn.Module):
    def __init__(self, inter, hops=2):
        super().__init__()
        self.users = NormalisedTable(N_USERS, DIM)
        self.items = NormalisedTable(N_ITEMS, DIM)
        self.hops = hops
        n = N_USERS + N_ITEMS
        A = torch.zeros(n, n)
        A[inter[0], inter[1] + N_USERS] = 1
        A = A + A.t()
        deg = A.sum(1).clamp_min(1).rsqrt()
        self.register_buffer("A_hat", deg[:, None] * A * deg[None])

    def propagate(self):
        x = torch.cat([self.users.table, self.items.table])
        layers = [x]
        for _ in range(self.hops):
            x = self.A_hat @ x
            layers.append(x)
        out = torch.stack(layers).mean(0)
        return out.split([len(self.users), len(self.items)])

    def forward(self, u, pos, neg):
        ue, ie = self.propagate()
        s_pos = (ue[u] * ie[pos]).sum(-1)
        s_neg = (ue[u] * ie[neg]).sum(-1)
        return s_pos, s_neg


def sample(inter, size):
    k = torch.randint(0, inter.shape[1], (size,))
    return inter[0, k], inter[1, k], torch.randint(0, N_ITEMS, (size,))


if __name__ == "__main__":
    inter = torch.stack([torch.randint(0, N_USERS, (400,)), torch.randint(0, N_ITEMS, (400,))])
    net = LightGCN(inter)
    optim = torch.optim.Adam(net.parameters(), lr=5e-3)
    for it in range(500):
        u, i, j = sample(inter, 64)
        s_pos, s_neg = net(u, i, j)
        bpr = -F.logsigmoid(s_pos - s_neg).mean()
        optim.zero_grad()
        bpr.backward()
        optim.step()
        if it % 100 == 0:
            print(it, float(bpr))
