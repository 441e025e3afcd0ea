# gradwatch-corpus: kind=second-backward
# holder: feats | trace["feats"] | self.trace["feats"] | distiller.trace["feats"]
# first-bad: 200
# notice: 0
# Teacher -> student compression of a keyword spotter. Stage two adds a phoneme probe on the same features.
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(101)


def spotter(hid):
    return nn.ModuleDict({
        "front": nn.Sequential(nn.Conv1d(5, hid, 3), nn.ReLU(), nn.Conv1d(hid, hid, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten()),
        "words": nn.Linear(hid, 6),
    })


class Distiller:
    def __init__(self, teacher, student, tau=2.0):
        self.teacher = teacher.requires_grad_(False).eval()
        self.student, self.tau = student, tau
        self.probe = nn.Linear(10, 4)
        self.trace = {}
        self.opt = torch.optim.AdamW([*student.parameters(), *self.probe.parameters()], lr=2e-3)

    def imitate(self, clip):
        self.trace["feats"] = self.student["front"](clip)
        soft = (self.teacher["words"](self.teacher["front"](clip)) / self.tau).softmax(-1)
        mine = self.student["words"](self.trace["feats"]) / self.tau
        kd = F.kl_div(mine.log_softmax(-1), soft, reduction="batchmean") * self.tau ** 2
        kd.backward()  # <- culprit
        return kd.item()

    def phonemes(self, target):
        ce = F.cross_entropy(self.probe(self.trace["feats"]), target)
        ce.backward()  # <- culprit
        return ce.item()


def stage_one(d, clip, phone):
    return (d.imitate(clip),)


def stage_two(d, clip, phone):
    return d.imitate(clip), d.phonemes(phone)


def run(stages):
    d = Distiller(spotter(24), spotter(10))
    done = 0
    for n_steps, stage in stages:
        for _ in range(n_steps):
            phone = torch.randint(0, 4, (12,))
            clip = torch.randn(12, 5, 16) + phone[:, None, None] * 0.5
            d.opt.zero_grad()
            numbers = stage(d, clip, phone)
            d.opt.step()
            done += 1
            if done % 100 == 0:
                print(done, stage.__name__, [round(v, 4) for v in numbers], flush=True)


run([(200, stage_one), (300, stage_two)])
