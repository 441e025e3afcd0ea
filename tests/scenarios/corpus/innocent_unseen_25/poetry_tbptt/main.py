# gradwatch-corpus: kind=none
# after: pytorch/examples word_language_model (repackage_hidden)
"""Character model of a toy poem; the state runs on through the whole text, in windows."""
import collections
import math
import torch
from torch import nn
from model import CharLSTM

torch.manual_seed(1111)
TEXT = ("the rose is red the violet blue the honey sweet and so are you " * 60)
CHARS = sorted(set(TEXT))
IDS = torch.tensor([CHARS.index(c) for c in TEXT])


def batchify(ids, bsz):
    n = len(ids) // bsz
    return ids[: n * bsz].view(bsz, n).t().contiguous()


def windows(src, bptt):
    for i in range(0, src.size(0) - 1, bptt):
        n = min(bptt, src.size(0) - 1 - i)
        yield src[i:i + n], src[i + 1:i + 1 + n]


src = batchify(IDS, 8)
net = CharLSTM(len(CHARS), 24, 48)
opt = torch.optim.SGD(net.parameters(), lr=2.0)
recent = collections.deque(maxlen=10)
best = math.inf
for epoch in range(4):
    net.forget()
    total = 0.0
    for n, (x, y) in enumerate(windows(src, 20)):
        out = net(x)
        loss = nn.functional.cross_entropy(out.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        net.cut()
        recent.append(loss.detach())
        total += loss.item()
    best = min(best, total / (n + 1))
    print(epoch, "ppl", round(math.exp(total / (n + 1)), 2), "recent", torch.stack(tuple(recent)).mean().item())
