import torch
import torch.nn as nn


class SessionGRU(nn.Module):
    def __init__(self, n_items, emb=48, hidden=64):
        super().__init__()
        self.item_emb = nn.Embedding(n_items, emb)
        self.out_emb = nn.Embedding(n_items, hidden)
        self.out_bias = nn.Embedding(n_items, 1)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.last_state = {}
        nn.init.normal_(self.out_emb.weight, std=0.05)
        nn.init.zeros_(self.out_bias.weight)

    def forward(self, session_ids, items):
        out, h = self.gru(self.drop(self.item_emb(items)))
        self.remember(session_ids, h[0])
        return out

    def remember(self, session_ids, h):
        for sid, state in zip(session_ids.tolist(), h.unbind(0)):
            self.last_state[sid] = state  # <- culprit

    def score(self, out, items):
        return (out * self.out_emb(items)).sum(-1) + self.out_bias(items).squeeze(-1)

    def rank(self, sid, k=10):
        with torch.no_grad():
            s = self.out_emb.weight @ self.last_state[sid] + self.out_bias.weight.squeeze(1)
            return s.topk(k).indices


def bpr_max(pos, neg, reg=1.0):
    """BPR-max of GRU4Rec, neg: (..., n_neg)"""
    w = torch.softmax(neg, dim=-1)
    diff = torch.sigmoid(pos.unsqueeze(-1) - neg)
    return (-torch.log((w * diff).sum(-1) + 1e-12) + reg * (w * neg ** 2).sum(-1)).mean()
