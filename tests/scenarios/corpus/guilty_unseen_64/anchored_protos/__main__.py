# gradwatch-corpus: kind=graph-chain
# holder: self.anchors | tracker.anchors
# first-bad: 1
# notice: 5
"""python -m anchored_protos: swapped prediction between two views, against anchors."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .anchors import AnchorTracker, PrototypeHead
from .features import Encoder, blobs


@dataclass
class Options:
    steps: int = 120
    batch: int = 32
    protos: int = 10
    temp: float = 0.1
    rate: float = 0.05


def options():
    ap = argparse.ArgumentParser(prog="anchored_protos")
    for name, default in vars(Options()).items():
        ap.add_argument("--" + name, type=type(default), default=default)
    return Options(**vars(ap.parse_args()))


@torch.no_grad()
def balance(scores, eps=0.2, rounds=3):
    """Sinkhorn-Knopp: equal use of the prototypes within a batch."""
    q = torch.exp(scores / eps).t()
    q /= q.sum()
    for _ in range(rounds):
        q /= q.sum(1, keepdim=True) * q.shape[0]
        q /= q.sum(0, keepdim=True) * q.shape[1]
    return (q * q.shape[1]).t()


def swapped(sa, sb, temp):
    qa, qb = balance(sa), balance(sb)
    pa, pb = F.log_softmax(sa / temp, -1), F.log_softmax(sb / temp, -1)
    return -0.5 * ((qa * pb).sum(-1) + (qb * pa).sum(-1)).mean()


def consistency(tracker, z, logits, temp):
    """Present assignments should agree with those to the anchors."""
    reference = F.log_softmax(tracker.scores(z) / temp, -1)
    return F.kl_div(F.log_softmax(logits / temp, -1), reference, log_target=True, reduction="batchmean")


def main():
    opt = options()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    encoder, head = Encoder(), PrototypeHead(opt.protos, 12)
    tracker = AnchorTracker(head, opt.rate)
    sgd = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1, momentum=0.9)
    for step, (a, b) in enumerate(blobs(opt.batch, opt.steps)):
        za, zb = encoder(a), encoder(b)
        sa, sb = head(za), head(zb)
        loss = swapped(sa, sb, opt.temp) + 0.2 * consistency(tracker, za, sa, opt.temp)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        tracker.follow()
        if step % 30 == 0:
            print(f"step {step:4d} loss {loss.item():.4f}")
    print("final", round(loss.item(), 4))


if __name__ == "__main__":
    main()
