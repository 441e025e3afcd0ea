# gradwatch-corpus: kind=inplace-modified
# holder: self.teacher | trainer.teacher | tr.teacher.head | self.teacher.head | tr.teacher.head[2].weight
# first-bad: 30
# notice: 0
import torch

from callbacks import EmaTeacher, Printer, LrDecay
from model import SpectraNet
from trainer import Trainer


def spectra(n, n_classes=4, width=64, gen=None):
    """Sums of gaussian peaks, the class decides where the strongest one is."""
    y = torch.randint(0, n_classes, (n,), generator=gen)
    grid = torch.linspace(0, 1, width)
    x = torch.zeros(n, width)
    for _ in range(3):
        c = torch.rand(n, 1, generator=gen)
        x += 0.4 * torch.exp(-((grid - c) ** 2) / 0.001)
    main = (y.float().unsqueeze(1) + 0.5) / n_classes
    x += torch.exp(-((grid - main) ** 2) / 0.003)
    return x + 0.05 * torch.randn(n, width, generator=gen), y


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    g = torch.Generator().manual_seed(6)
    labelled = spectra(64, gen=g)
    unlabelled, _ = spectra(1024, gen=g)
    test = spectra(256, gen=g)

    tr = Trainer(
        SpectraNet(64, 32, 4),
        callbacks=[LrDecay(0.998), EmaTeacher(decay=0.97, begin=30), Printer(every=15)],
        lr=2e-3,
    )
    tr.fit(labelled, unlabelled, steps=260)
    with torch.no_grad():
        acc = (tr.teacher(test[0]).argmax(1) == test[1]).float().mean()
    print(f"teacher accuracy {acc:.3f}")
