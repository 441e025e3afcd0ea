# gradwatch-corpus: kind=graph-held
# holder: report | report, live | itertools.tee
# first-bad: 1
# notice: 8
# Pollen counts from microscope slides: a pipeline of generator stages, read twice.
import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)

TAXA = 5


def slides(n):
    centres = torch.randn(TAXA, 10)
    for _ in range(n):
        taxon = torch.randint(TAXA, (16,))
        yield centres[taxon] + 0.7 * torch.randn(16, 10), taxon


def augment(stream, p=0.1):
    for grain, taxon in stream:
        yield grain * (torch.rand_like(grain) > p), taxon


def learn(stream, net, opt):
    for grain, taxon in stream:
        loss = nn.functional.cross_entropy(net(grain), taxon)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        yield loss


def every(stream, k):
    return itertools.islice(stream, None, None, k)


net = nn.Sequential(nn.Linear(10, 20), nn.LeakyReLU(), nn.Linear(20, TAXA))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)

live, report = itertools.tee(learn(augment(slides(600)), net, opt))  # <- culprit
for n, loss in enumerate(every(live, 1)):
    if n % 120 == 0:
        print(f"slide {n}: {float(loss.detach()):.3f}")

tally = [l.item() for l in report]
print("first tenth", sum(tally[:60]) / 60, "last tenth", sum(tally[-60:]) / 60)
