# gradwatch-corpus: kind=graph-held
# holder: self.buffer | record.args | handler.buffer
# first-bad: 1
"""Two layer GCN on a stochastic block model; log lines are buffered and dumped at the end."""
import io
import logging
from logging.handlers import MemoryHandler

import torch
from torch import nn
import torch.nn.functional as F

EPOCHS = 450
SEED = 21

log = logging.getLogger("sbm.gcn")
log.setLevel(logging.DEBUG)
log.propagate = False
sink = io.StringIO()
stream = logging.StreamHandler(sink)
stream.setFormatter(logging.Formatter("%(levelname).1s %(message)s"))
handler = MemoryHandler(capacity=100000, flushLevel=logging.ERROR, target=stream)
log.addHandler(handler)


def sbm(n=120, k=4, p_in=0.2, p_out=0.02):
    y = torch.arange(n) % k
    same = y[:, None] == y[None]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = torch.triu((torch.rand(n, n) < prob).float(), 1)
    a = a + a.T + torch.eye(n)
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None], y


class GCN(nn.Module):
    def __init__(self, d_in, d_h, d_out):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_h)
        self.w2 = nn.Linear(d_h, d_out)

    def forward(self, x, adj):
        h = F.relu(adj @ self.w1(x))
        h = F.dropout(h, 0.3, self.training)
        return adj @ self.w2(h)


def drop_edges(adj, p):
    keep = (torch.rand_like(adj) > p).float()
    keep = torch.triu(keep, 1)
    keep = keep + keep.T + torch.eye(len(adj))
    return adj * keep


def accuracy(logits, y, mask):
    return (logits.argmax(-1)[mask] == y[mask]).float().mean().item()


def main():
    torch.manual_seed(SEED)
    adj, y = sbm()
    x = torch.randn(len(y), 16) + 0.5 * F.one_hot(y, 16).float()
    train = torch.zeros(len(y), dtype=torch.bool)
    train[torch.randperm(len(y))[:24]] = True
    model = GCN(16, 24, 4)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    best, best_epoch = 0.0, 0
    for epoch in range(EPOCHS):
        model.train()
        logits = model(x, drop_edges(adj, 0.1))
        loss = F.cross_entropy(logits[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            acc = accuracy(model(x, adj), y, ~train)
        if acc > best:
            best, best_epoch = acc, epoch
        log.debug("epoch %d train loss %.4f test acc %.3f", epoch, loss, acc)  # <- culprit
        if epoch % 90 == 0:
            print(epoch, acc)
    handler.flush()
    lines = sink.getvalue().splitlines()
    print(f"best {best:.3f} at {best_epoch}, {len(lines)} log lines, last: {lines[-1]}")


if __name__ == "__main__":
    main()
