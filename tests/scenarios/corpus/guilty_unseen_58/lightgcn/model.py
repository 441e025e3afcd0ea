import torch
import torch.nn as nn
import torch.nn.functional as F


class LightGCN(nn.Module):
    def __init__(self, n_users, n_items, pairs, dim=16, n_layers=2):
        super().__init__()
        self.n_users, self.n_items, self.n_layers = n_users, n_items, n_layers
        self.emb = nn.Parameter(0.1 * torch.randn(n_users + n_items, dim))
        self.layer_logits = nn.Parameter(torch.zeros(n_layers + 1))
        self.register_buffer("adj", self._norm_adj(pairs))
        self._final = None

    def _norm_adj(self, pairs):
        n = self.n_users + self.n_items
        a = torch.zeros(n, n)
        a[pairs[:, 0], self.n_users + pairs[:, 1]] = 1
        a = a + a.t()
        d = a.sum(1).clamp(min=1).rsqrt()
        return d[:, None] * a * d[None]

    def reset(self):
        self._final = None

    def propagate(self):
        w = self.layer_logits.softmax(0)
        x, out = self.emb, w[0] * self.emb
        for k in range(self.n_layers):
            x = self.adj @ x
            out = out + w[k + 1] * x
        return out

    def embeddings(self):
        # propagation is the expensive part
        if self._final is None:  # <- culprit
            self._final = self.propagate()  # <- culprit
        return self._final.split([self.n_users, self.n_items])

    def score(self, u, i):
        ue, ie = self.embeddings()
        return (ue[u] * ie[i]).sum(-1)


def bpr_loss(model, u, pos, neg):
    diff = model.score(u, pos) - model.score(u, neg)
    return -F.logsigmoid(diff).mean() + 1e-4 * model.emb.pow(2).mean()
