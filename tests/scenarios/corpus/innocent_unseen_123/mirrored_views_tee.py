# gradwatch-corpus: kind=none
# Handwriting strokes: one stream of batches teed for two objectives, both branches pulled in lockstep.
from itertools import islice, tee

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(330)

encoder = nn.GRU(2, 8, batch_first=True)
writer, mirror = nn.Linear(8, 4), nn.Linear(8, 2)
opt = torch.optim.Adam([*encoder.parameters(), *writer.parameters(), *mirror.parameters()], lr=4e-3)

styles = torch.randn(4, 2)


def strokes():
    while True:
        who = torch.randint(0, 4, (8,))
        path = (0.3 * torch.randn(8, 7, 2) + styles[who][:, None]).cumsum(1) / 7
        yield path, who


def summary(path):
    return encoder(path)[1][0]


def writer_loss(stream):
    return (nn.functional.cross_entropy(writer(summary(path)), who) for path, who in stream)


def mirror_loss(stream):
    return ((mirror(summary(path.flip(1))) - path[:, 0]).square().mean() for path, _ in stream)


one, two = tee(strokes())
for n, (a, b) in enumerate(islice(zip(writer_loss(one), mirror_loss(two)), 900), 1):
    opt.zero_grad()
    (a + 0.5 * b).backward()
    opt.step()
    if n % 225 == 0:
        print(n, round(a.item(), 3), round(b.item(), 3))
