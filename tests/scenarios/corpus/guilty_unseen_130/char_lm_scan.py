# gradwatch-corpus: kind=crashed
# first-bad: 180
# notice: 0
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(4)

TEXT = ("the old miller kept his ledger by the stove and wrote the grain in columns; "
        "his daughter read it back to him in the evening and laughed at the sums. ") * 6
CHARS = sorted(set(TEXT))
IDS = torch.tensor([CHARS.index(c) for c in TEXT])
CUT = int(len(IDS) * 0.8)


class GruLM(nn.Module):
    def __init__(self, v, d=24):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.gru = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, v)

    def forward(self, ids):
        return self.out(self.gru(self.emb(ids))[0])


def windows(ids, n, length=20):
    at = torch.randint(0, len(ids) - length - 1, (n,))
    x = torch.stack([ids[i:i + length] for i in at])
    y = torch.stack([ids[i + 1:i + length + 1] for i in at])
    return x, y


def perplexities(lm, chunks):
    with torch.no_grad():  # <- culprit
        for x, y in chunks:
            yield F.cross_entropy(lm(x).flatten(0, 1), y.flatten()).exp().item()


class Watch:
    """Compares a held-out stream with the best one seen; gives up on a stream as soon as it is clearly worse."""

    def __init__(self, chunks, slack):
        self.chunks, self.slack = chunks, slack
        self.best = None
        self.stream = None

    def improved(self, lm):
        self.stream = perplexities(lm, self.chunks)
        got = []
        for i, p in enumerate(self.stream):
            if self.best is not None and p > self.best[i] * self.slack:
                return False  # <- culprit
            got.append(p)
        self.best = got
        return True


def train(steps=900):
    lm = GruLM(len(CHARS))
    opt = torch.optim.Adam(lm.parameters(), lr=2e-2)
    watch = Watch([windows(IDS[CUT:], 8) for _ in range(5)], slack=1.0)
    for step in range(steps):
        x, y = windows(IDS[:CUT], 6)
        loss = F.cross_entropy(lm(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        if step % 30 == 29:
            ok = watch.improved(lm)
            if not ok:
                for g in opt.param_groups:
                    g["lr"] *= 0.5
            print(step, round(loss.item(), 3), "better" if ok else "halved lr")


train()
