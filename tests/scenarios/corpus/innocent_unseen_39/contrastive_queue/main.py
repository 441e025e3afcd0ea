# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from memory import KeyQueue
from model import Encoder, MomentumPair
from views import Spectra


def info_nce(q, k, negatives, temperature=0.2):
    pos = (q * k).sum(1, keepdim=True)
    neg = q @ negatives.T
    logits = torch.cat([pos, neg], 1) / temperature
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), logits


def train_epoch(pair, queue, data, optimizer, accumulate=3):
    meters = {"loss": 0.0, "top1": 0.0}
    pending, n = [], 0
    for i, (v1, v2) in enumerate(data.pairs()):
        q, k = pair(v1, v2)
        pending.append((q, k))
        if len(pending) < accumulate:
            continue

        q, k = (torch.cat(part) for part in zip(*pending))
        loss, logits = info_nce(q, k, queue.keys())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        pair.momentum_update()
        queue.enqueue(k)
        pending.clear()

        meters["loss"] += loss.detach()
        meters["top1"] += (logits.argmax(1) == 0).float().mean()
        n += 1
    return {name: float(v) / n for name, v in meters.items()}


def linear_probe(pair, data, n=400):
    with torch.no_grad():
        x, y = data.labelled(n)
        feats = pair.online.body(x)
    a, b = feats[: n // 2], feats[n // 2:]
    t = F.one_hot(y[: n // 2]).float()
    w = torch.linalg.lstsq(torch.cat([a, torch.ones(len(a), 1)], 1), t).solution
    pred = torch.cat([b, torch.ones(len(b), 1)], 1) @ w
    return (pred.argmax(1) == y[n // 2:]).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(31)
    data = Spectra(n=1920, batch=16)
    pair = MomentumPair(Encoder(data.n_bins))
    queue = KeyQueue(maxlen=8, dim=16)
    opt = torch.optim.SGD(pair.online.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(2):
        m = train_epoch(pair, queue, data, opt)
        print("epoch %d loss %.3f top1 %.3f probe %.3f queue %d" % (
            epoch, m["loss"], m["top1"], linear_probe(pair, data), len(queue)))
