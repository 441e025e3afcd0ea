# gradwatch-corpus: kind=memory-climb
# holder: self._drawn | sampler._drawn | book
# first-bad: 1
"""Next-song retrieval from playlists, hard negatives out of the popularity tail."""
import hashlib
import operator
from functools import partial
from itertools import accumulate

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(64)
SONGS, DIM, ROWS, NEG = 8000, 48, 96, 40


class Playlists(torch.utils.data.Dataset):
    def __init__(self, n=6000, length=10):
        g = torch.Generator().manual_seed(9)
        home = torch.randint(0, SONGS - 200, (n, 1), generator=g)
        self.tracks = home + torch.randint(0, 200, (n, length), generator=g)

    def __len__(self):
        return len(self.tracks)

    def __getitem__(self, i):
        row = self.tracks[i]
        return i, row[:-1], row[-1]


class Negatives:
    """Hard negatives for a batch; the draw is the costly bit so that it is shared by both loss terms."""

    def __init__(self, table, tail=400):
        self.table, self.tail = table, tail
        self._drawn = {}

    def _key(self, ids):
        return hashlib.blake2b(ids.numpy().tobytes(), digest_size=12).hexdigest()

    @torch.no_grad()
    def __call__(self, ids, context):
        book = self._drawn
        key = self._key(ids)
        if key not in book:
            pool = torch.randint(SONGS, (self.tail,))
            score = context @ self.table.weight[pool].T
            hard = pool[score.topk(NEG, 1).indices]
            book[key] = hard, self.table.weight[hard]  # <- culprit
        return book[key]  # <- culprit


class Walker(nn.Module):
    def __init__(self):
        super().__init__()
        self.songs = nn.Embedding(SONGS, DIM)
        nn.init.normal_(self.songs.weight, std=0.1)
        self.mix = nn.Sequential(nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, DIM))
        w = torch.tensor(list(accumulate([0.8] * 9, operator.mul))).flip(0)
        self.register_buffer("fade", w / w.sum())

    def forward(self, past):
        e = (self.songs(past) * self.fade[:, None]).sum(1)
        return e + self.mix(e)


def contrast(sampler, ids, context, positive):
    _, rows = sampler(ids, context)
    pos = (context * positive).sum(1, keepdim=True)
    neg = torch.einsum("bd,bnd->bn", context, rows)
    return F.cross_entropy(torch.cat([pos, neg], 1) / 0.3, torch.zeros(len(pos), dtype=torch.long))


def margin(sampler, ids, context, positive, table):
    hard, _ = sampler(ids, context)
    worst = table(hard[:, :4])
    gap = 0.2 - (context * positive).sum(1, keepdim=True) + torch.einsum("bd,bnd->bn", context, worst)
    return F.relu(gap).mean()


walker = Walker()
sampler = Negatives(walker.songs)
terms = {"contrast": (1.0, partial(contrast, sampler)), "margin": (0.5, partial(margin, sampler, table=walker.songs))}
opt = torch.optim.Adam(walker.parameters(), lr=2e-3)
loader = torch.utils.data.DataLoader(Playlists(), batch_size=ROWS, shuffle=True, drop_last=True)
done = 0
for tour in range(6):
    for ids, past, nxt in loader:
        context, positive = walker(past), walker.songs(nxt)
        parts = {k: w * fn(ids=ids, context=context, positive=positive) for k, (w, fn) in terms.items()}
        opt.zero_grad()
        sum(parts.values()).backward()
        opt.step()
        if done % 60 == 0:
            print(f"tour {tour} step {done:3d}", {k: round(v.item(), 4) for k, v in parts.items()})
        done += 1
print("songs embedded, mean norm %.3f" % walker.songs.weight.detach().norm(dim=1).mean())
