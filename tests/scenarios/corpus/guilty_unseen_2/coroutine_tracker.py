# gradwatch-corpus: kind=graph-held
# holder: total | tracker
# first-bad: 1
"""Word2vec-style skip-gram with negative sampling. The tracker is a coroutine."""
import functools
import torch
import torch.nn.functional as F

torch.manual_seed(13)
V, E = 200, 16


def primed(fn):
    @functools.wraps(fn)
    def start(*a, **k):
        g = fn(*a, **k)
        next(g)
        return g
    return start


@primed
def mean_tracker(every):
    total, n = 0.0, 0
    while True:
        value = yield n
        total = total + value  # <- culprit
        n += 1
        if n % every == 0:
            print("  n=%d mean=%.4f" % (n, float(total) / n))


class SkipGram(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w_in = torch.nn.Embedding(V, E)
        self.w_out = torch.nn.Embedding(V, E)
        torch.nn.init.uniform_(self.w_in.weight, -0.1, 0.1)

    def forward(self, c, pos, neg):
        h = self.w_in(c)
        p = (h * self.w_out(pos)).sum(-1)
        n = torch.bmm(self.w_out(neg), h.unsqueeze(-1)).squeeze(-1)
        return -(F.logsigmoid(p) + F.logsigmoid(-n).sum(-1)).mean()


def pairs(n):
    c = torch.randint(0, V, (n,))
    return c, (c + torch.randint(1, 4, (n,))) % V, torch.randint(0, V, (n, 5))


model = SkipGram()
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
tracker = mean_tracker(every=50)
for it in range(200):
    loss = model(*pairs(64))
    opt.zero_grad()
    loss.backward()
    opt.step()
    tracker.send(loss)  # <- culprit
tracker.close()
