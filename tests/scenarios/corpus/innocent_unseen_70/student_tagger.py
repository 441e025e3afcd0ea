# gradwatch-corpus: kind=none
"""Part-of-speech tagging with an averaged teacher and a temperature tuned once per epoch."""
import copy
import logging
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

log = logging.getLogger(__name__)
VOCAB, TAGS, LENGTH = 80, 6, 9


class Tagger(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.context = nn.GRU(dim, dim, bidirectional=True, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * dim, TAGS)

    def forward(self, words):
        return self.out(self.drop(self.context(self.embed(words))[0]))


class AveragedTeacher:
    def __init__(self, student, decay=0.97):
        self.net = copy.deepcopy(student).eval()
        self.decay = decay

    @torch.no_grad()
    def follow(self, student):
        for mine, theirs in zip(self.net.parameters(), student.parameters()):
            mine.lerp_(theirs, 1 - self.decay)

    def logits(self, words):
        with torch.no_grad():
            return self.net(words)


class Temperature(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_t = nn.Parameter(torch.zeros(()))

    def forward(self, logits):
        return logits / self.log_t.exp()


class Epoch:
    """Adds up the calibration cost of the batches and gives it out at the end."""

    def __init__(self):
        self.total, self.batches = 0.0, 0

    def add(self, cost):
        self.total = self.total + cost
        self.batches += 1

    def mean(self):
        return self.total / self.batches


@contextmanager
def epoch_calibration(opt):
    epoch = Epoch()
    yield epoch
    opt.zero_grad()
    epoch.mean().backward()
    opt.step()


def sentences(gen, rule, batch=16, wrong=0.1):
    words = torch.randint(0, VOCAB, (batch, LENGTH), generator=gen)
    before = torch.cat([words[:, :1], words[:, :-1]], dim=1)
    tags = (rule[words] + (before % 2)) % TAGS
    noise = torch.rand(tags.shape, generator=gen) < wrong
    return words, torch.where(noise, torch.zeros_like(tags), tags)


def main(epochs=18, per_epoch=14):
    torch.set_num_threads(1)
    torch.manual_seed(4)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    gen = torch.Generator().manual_seed(1)
    rule = torch.randint(0, TAGS, (VOCAB,), generator=gen)
    student, scale = Tagger(), Temperature()
    teacher = AveragedTeacher(student)
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    opt_scale = torch.optim.SGD(scale.parameters(), lr=0.3)
    for number in range(epochs):
        with epoch_calibration(opt_scale) as epoch:
            for _ in range(per_epoch):
                words, tags = sentences(gen, rule)
                logits, soft = student(words), teacher.logits(words)
                hard = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
                with torch.no_grad():
                    target = scale(soft).softmax(-1)
                mimic = F.kl_div(logits.log_softmax(-1), target, reduction="batchmean") / LENGTH
                loss = hard + 0.3 * mimic
                opt.zero_grad()
                loss.backward()
                opt.step()
                teacher.follow(student)
                epoch.add(F.cross_entropy(scale(soft).flatten(0, 1), tags.flatten()))
        if number % 6 == 5:
            log.info("epoch %d loss %.3f temperature %.3f", number + 1, loss.item(),
                     scale.log_t.exp().item())


if __name__ == "__main__":
    main()
