# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from extractor import IntermediateLayers
from nets import ConvTagger


def make_batch(n, length=64):
    y = torch.randint(0, 4, (n,))
    t = torch.arange(length).float()
    f = 0.15 + 0.18 * y.float()
    sig = torch.sin(f[:, None] * t + 6.28 * torch.rand(n, 1))
    return (sig + 0.5 * torch.randn(n, length)).unsqueeze(1), y


class Distiller:
    def __init__(self, teacher, student, accum=2):
        self.teacher, self.student = teacher.eval(), student
        self.hint = nn.Conv1d(student.widths[-1], teacher.widths[-1], 1)
        self.params = list(student.parameters()) + list(self.hint.parameters())
        self.opt = torch.optim.Adam(self.params, 3e-3)
        self.accum = accum
        self.loss_log = []

    def losses(self, x, y, ts, ss):
        with torch.no_grad():
            t_out = self.teacher(x)
        s_out = self.student(x)
        hint = F.mse_loss(self.hint(ss.pop("block2")), ts.pop("block2"))
        kd = F.kl_div(F.log_softmax(s_out / 3, 1), F.softmax(t_out / 3, 1), reduction="batchmean") * 9
        return {"ce": F.cross_entropy(s_out, y), "kd": kd, "hint": hint}

    def fit(self, iters):
        weights = {"ce": 1.0, "kd": 0.5, "hint": 0.3}
        self.opt.zero_grad()
        with IntermediateLayers(self.teacher, ["block2"]) as ts, IntermediateLayers(self.student, ["block2"]) as ss:
            for i in range(iters):
                x, y = make_batch(24)
                parts = self.losses(x, y, ts, ss)
                loss = sum(weights[k] * v for k, v in parts.items()) / self.accum
                loss.backward()
                if (i + 1) % self.accum == 0:
                    nn.utils.clip_grad_norm_(self.params, 2.0)
                    self.opt.step()
                    self.opt.zero_grad()
                self.loss_log.append({k: float(v.detach()) for k, v in parts.items()})
                if (i + 1) % 40 == 0:
                    print(i + 1, {k: round(v, 3) for k, v in self.loss_log[-1].items()})


def main():
    torch.manual_seed(77)
    teacher, student = ConvTagger((16, 32)), ConvTagger((6, 10))
    opt = torch.optim.Adam(teacher.parameters(), 3e-3)
    for _ in range(40):
        x, y = make_batch(32)
        loss = F.cross_entropy(teacher(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    teacher.requires_grad_(False)
    Distiller(teacher, student).fit(120)
    with torch.no_grad():
        x, y = make_batch(256)
        print("student acc %.3f" % (student(x).argmax(1) == y).float().mean())


if __name__ == "__main__":
    main()
