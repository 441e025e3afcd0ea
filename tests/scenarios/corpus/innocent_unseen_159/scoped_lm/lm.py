import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class TinyLM(nn.Module):
    def __init__(self, vocab=36, d=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 48), nn.GELU(), nn.Linear(48, d))
        self.out, self.back = nn.Linear(d, vocab), nn.Linear(d, vocab)

    def body(self, ids):
        h, _ = self.rnn(self.tok(ids))
        return h + checkpoint(self.ff, h, use_reentrant=False)

    def losses(self, ids, ctx):
        h = self.body(ids[:, :-1])
        ctx["ce"] = F.cross_entropy(self.out(h).flatten(0, 1), ids[:, 1:].flatten())
        ctx["aux"] = F.cross_entropy(self.back(h[:, 1:]).flatten(0, 1), ids[:, :-2].flatten())
        return ctx["ce"] + 0.2 * ctx["aux"]


def text(n, vocab=36, batch=6, length=14):
    nxt = torch.randperm(vocab)
    for _ in range(n):
        ids = [torch.randint(vocab, (batch,))]
        for _ in range(length):
            ids.append(torch.where(torch.rand(batch) < 0.1, torch.randint(vocab, (batch,)), nxt[ids[-1]]))
        yield torch.stack(ids, 1)
