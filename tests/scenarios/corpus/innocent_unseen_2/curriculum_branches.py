# gradwatch-corpus: kind=none
"""Curriculum: harder data and more loss terms at each stage; teacher forcing decays."""
import enum
import random
import torch
from torch import nn

random.seed(23)
torch.manual_seed(23)


class Stage(enum.IntEnum):
    EASY = 0
    MEDIUM = 1
    HARD = 2


def stage_of(i):
    return Stage.EASY if i < 50 else Stage.MEDIUM if i < 100 else Stage.HARD


class Seq2Seq(nn.Module):
    def __init__(self, v=9, d=20):
        super().__init__()
        self.emb, self.enc, self.dec, self.out = nn.Embedding(v, d), nn.GRU(d, d, batch_first=True), nn.GRUCell(d, d), nn.Linear(d, v)

    def forward(self, x, y, tf):
        enc, h = self.enc(self.emb(x))
        h, tok, outs = h[0], torch.zeros_like(x[:, 0]), []
        for t in range(y.size(1)):
            h = self.dec(self.emb(tok), h)
            o = self.out(h)
            outs.append(o)
            tok = y[:, t] if random.random() < tf else o.argmax(1)
        return torch.stack(outs, 1), enc


net = Seq2Seq()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
log = {s.name: [] for s in Stage}
for i in range(150):
    s = stage_of(i)
    n = (3, 6, 10)[s]
    x = torch.randint(1, 9, (12, n))
    y = x if s < Stage.HARD else x.flip(1)
    logits, enc = net(x, y, tf=1.0 - i / 200)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
    if s >= Stage.MEDIUM:
        loss = loss + 1e-3 * enc.pow(2).mean()
    if s is Stage.HARD:
        loss = loss + 1e-3 * (enc[:, 1:] - enc[:, :-1]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    log[s.name].append(float(loss))
print({k: (round(v[0], 3), round(v[-1], 3)) for k, v in log.items()})
