# gradwatch-corpus: kind=graph-held
# holder: self.energy | tally.energy | self.tally.energy | folder.tally.energy
# first-bad: 1
# notice: 8
"""Fold a square sheet along learned crease angles until its corners hit target points."""
import torch

from folding import Folder
from sheet import Sheet

torch.set_num_threads(1)


def targets_at(t, gen):
    corner = torch.tensor([[0.3, 0.3, 0.5], [0.7, 0.3, 0.5], [0.7, 0.7, 0.5], [0.3, 0.7, 0.5]])
    wobble = 0.05 * torch.sin(torch.tensor(t / 25.0))
    return corner + wobble + 0.01 * torch.randn(4, 3, generator=gen)


def main():
    torch.manual_seed(404)
    gen = torch.Generator().manual_seed(405)
    sheet = Sheet(n_creases=6)
    folder = Folder(sheet, lr=0.02)

    for t in range(320):
        miss = folder.fold_once(targets_at(t, gen))
        if t % 64 == 0:
            print(f"t={t:3d} corner miss {miss:.4f}")
    print(folder.report())


main()
