# gradwatch-corpus: kind=none
"""Tabular credit scoring with in-memory checkpoints and a roll-back when the loss gets away."""
import torch

from archive import Archive, Checkpoint
from credit import Applicants, ScoreNet


class Trainer:
    def __init__(self):
        self.data = Applicants(cols=10)
        self.net = ScoreNet(10)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.08, momentum=0.9)
        self.archive = Archive(keep_last=12, keep_best=4)
        self.rollbacks = 0
        self.lr_bumps = {150: 6.0, 310: 10.0}

    def train(self, steps):
        for step in range(steps):
            boost = self.lr_bumps.get(step, 1.0)
            x, y = self.data.batch(40)
            score = self.net(x)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(score, y)
            self.opt.zero_grad()
            (boost * loss).backward()
            self.opt.step()
            if step % 5 == 0:
                self.archive.add(Checkpoint.take(step, self.net, self.opt, loss=loss, score=score))
            if loss.item() > 1.5 * self.archive.best.value and step % 50 == 49:
                self.archive.best.restore(self.net, self.opt)
                self.rollbacks += 1
            if (step + 1) % 90 == 0:
                print(f"{step + 1}: loss {loss.item():.4f}, archive {self.archive}, roll-backs {self.rollbacks}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    Trainer().train(450)
