import torch
import torch.nn.functional as F

from taps import FeatureTaps


class Distiller:
    layers = ("stage1", "stage2")

    def __init__(self, teacher, student, s):
        self.teacher, self.student, self.s = teacher, student, s
        self.t_taps, self.s_taps = FeatureTaps(teacher, self.layers), FeatureTaps(student, self.layers)

    def warm_teacher(self, data, steps):
        opt = torch.optim.Adam(self.teacher.parameters(), lr=self.s.lr)
        for _ in range(steps):
            x, y = data(self.s.batch)
            loss = F.cross_entropy(self.teacher(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        self.teacher.eval().requires_grad_(False)

    @staticmethod
    def attention(f):
        return F.normalize(f.pow(2).mean(1).flatten(1), dim=1)

    def run(self, data, steps):
        opt = torch.optim.Adam(self.student.parameters(), lr=self.s.lr)
        T = self.s.temperature
        for _ in range(steps):
            x, y = data(self.s.batch)
            with self.t_taps as t, self.s_taps as s:
                t_out, s_out = self.teacher(x), self.student(x)
                feat = sum((self.attention(s.feats[n]) - self.attention(t.feats[n])).pow(2).sum(1).mean()
                           for n in self.layers)
            kd = F.kl_div(F.log_softmax(s_out / T, 1), F.softmax(t_out / T, 1), reduction="batchmean") * T * T
            loss = F.cross_entropy(s_out, y) + kd + self.s.feature_weight * feat
            opt.zero_grad()
            loss.backward()
            opt.step()

    @torch.no_grad()
    def accuracy(self, data):
        self.student.eval()
        x, y = data(256)
        return (self.student(x).argmax(1) == y).float().mean().item()
