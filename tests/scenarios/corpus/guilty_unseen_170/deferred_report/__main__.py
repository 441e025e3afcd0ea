# gradwatch-corpus: kind=graph-held
# holder: self.closing | journal.closing | self.journal.closing | journal
# first-bad: 1
# notice: 8
"""Land cover segmentation of small tiles with a journal that is written when the run ends."""
import torch
import torch.nn.functional as F

from .journal import Journal
from .task import SegNet, dice, tiles


class Trainer:
    def __init__(self, journal):
        self.net = SegNet()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=2e-3)
        self.journal = journal
        self.step_no = 0

    def step(self, x, y):
        logits = self.net(x)
        ce = F.cross_entropy(logits, y)
        overlap = dice(logits, y)
        loss = ce + 0.5 * overlap
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.journal.later("step {:.0f} ce {:.4f} dice {:.4f}", self.step_no, ce, overlap)  # <- culprit
        self.step_no += 1


def main():
    torch.manual_seed(17)
    torch.set_num_threads(1)
    lines = []
    with Journal(lines) as journal:
        trainer = Trainer(journal)
        for x, y in tiles(100):
            trainer.step(x, y)
    print(len(lines), "lines")
    print(lines[-1])
    print(lines[0])


if __name__ == "__main__":
    main()
