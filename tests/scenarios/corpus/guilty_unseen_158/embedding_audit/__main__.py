# gradwatch-corpus: kind=graph-held
# holder: self.pending | auditor.pending | self._auditor.pending | learner.auditor.pending | self.auditor.pending
# first-bad: 1
# notice: 8
"""Contrastive pretraining; geometry of the embeddings is audited on a worker thread."""
import torch

from .audit import GeometryAuditor
from .model import Encoder, info_nce

torch.set_num_threads(1)
torch.manual_seed(4)


def two_views(n, dim=24):
    base = torch.randn(n, dim)
    return base + 0.1 * torch.randn(n, dim), base + 0.1 * torch.randn(n, dim)


class Learner:
    def __init__(self, auditor):
        self.encoder = Encoder()
        self.auditor = auditor
        self.opt = torch.optim.SGD(self.encoder.parameters(), lr=0.05, momentum=0.9)

    def update(self, step):
        left, right = two_views(32)
        za, zb = self.encoder(left), self.encoder(right)
        loss = info_nce(za, zb)
        self.auditor.schedule(step, za, zb)  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    with GeometryAuditor(workers=1) as auditor:
        learner = Learner(auditor)
        for step in range(80):
            value = learner.update(step)
            if step % 20 == 19:
                print(f"step {step + 1} nce {value:.4f}")
        for step, align, unif in auditor.collect(every=20):
            print(f"step {step:3d} alignment {align:.4f} uniformity {unif:.4f}")


if __name__ == "__main__":
    main()
