# gradwatch-corpus: kind=graph-held
# holder: self.feats | bank.feats | self.monitor.feats | monitor.feats
# first-bad: 1
from functools import partial

import torch

from bank import KnnMonitor
from ssl_model import Encoder, Projector, nt_xent

SEED, STEPS, BATCH = 21, 440, 24


def augment(x, gen, noise=0.3):
    scale = 0.8 + 0.4 * torch.rand(len(x), 1, generator=gen)
    return x * scale + noise * torch.randn(x.shape, generator=gen)


def make_batches(gen):
    centers = 2 * torch.randn(5, 20, generator=gen)
    while True:
        y = torch.randint(5, (BATCH,), generator=gen)
        yield centers[y] + 0.5 * torch.randn(BATCH, 20, generator=gen), y


if __name__ == "__main__":
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    view = partial(augment, gen=gen)
    encoder, projector = Encoder(20), Projector()
    monitor = KnnMonitor(k=7)
    params = [*encoder.parameters(), *projector.parameters()]
    optim = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    for step, (x, y) in zip(range(STEPS), make_batches(gen)):
        h1, h2 = encoder(view(x)), encoder(view(x))
        loss = nt_xent(projector(h1), projector(h2))
        optim.zero_grad()
        loss.backward()
        optim.step()
        monitor.add(h1, y)
        if step and step % 80 == 0:
            with torch.no_grad():
                acc = monitor.score(encoder(x), y)
            print(step, f"loss {loss.item():.3f} knn {acc:.2f}")
