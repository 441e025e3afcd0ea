# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

# digits-to-words transduction, micro-batches bucketed by length

parser = argparse.ArgumentParser()
parser.add_argument("--updates", type=int, default=60)
parser.add_argument("--micro", type=int, default=3)
parser.add_argument("--bs", type=int, default=8)
parser.add_argument("--d", type=int, default=32)
args = parser.parse_args([])
torch.manual_seed(18)

VOCAB = 20


def bucket(length):
    src = torch.randint(0, VOCAB, (args.bs, length))
    tgt = (src.flip(1) + 3) % VOCAB
    return src, tgt


class Reverser(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, d)
        self.pos = nn.Embedding(16, d)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.q = nn.Embedding(16, d)
        self.head = nn.Linear(d, VOCAB)

    def forward(self, src):
        n, t = src.shape
        p = torch.arange(t)
        keys = self.tok(src) + self.pos(t - 1 - p)
        query = self.q(p).expand(n, t, -1)
        h, _ = self.att(query, keys, keys, need_weights=False)
        h = h + self.ff(h)
        return self.head(h)


net = Reverser(args.d)
opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min(1.0, (k + 1) / 10))
pending = []
token_count = 0
update = 0
micro = 0
history = {"loss": [], "acc": []}

while update < args.updates:
    length = int(torch.randint(4, 9, (1,)))
    src, tgt = bucket(length)
    logits = net(src)
    summed = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), reduction="sum")
    pending.append(summed)
    token_count += tgt.numel()
    micro += 1
    history["acc"].append((logits.argmax(-1) == tgt).float().mean().item())
    if micro % args.micro:
        continue

    # tokens of the whole group are only known now
    loss = torch.stack(pending).sum() / token_count
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    history["loss"].append(loss.detach())
    pending = []
    token_count = 0
    update += 1
    if update % 15 == 0:
        mean = torch.stack(history["loss"][-15:]).mean().item()
        acc = sum(history["acc"][-45:]) / 45
        print("update", update, "loss %.3f acc %.3f" % (mean, acc))
