# gradwatch-corpus: kind=crashed
# first-bad: 160
# notice: 0
import copy
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class GaitEncoder(nn.Module):
    def __init__(self, protos=20):
        super().__init__()
        self.conv = nn.Conv1d(6, 16, 9, stride=3)
        self.gru = nn.GRU(16, 16, batch_first=True)
        self.protos = nn.utils.parametrizations.weight_norm(nn.Linear(16, protos, bias=False))

    def forward(self, imu):
        h = F.relu(self.conv(imu)).transpose(1, 2)
        _, last = self.gru(h)
        return self.protos(F.normalize(last[0], dim=-1))


def jitter(imu):
    gain = 1 + 0.1 * torch.randn(len(imu), 6, 1)
    return imu * gain + 0.05 * torch.randn_like(imu)


class SelfDistil:
    def __init__(self, make, restart_every):
        self.student = make()
        self.teacher = copy.deepcopy(self.student)
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.center = torch.zeros(20)
        self.restart_every = restart_every
        self.clock = 0
        self.renew()

    def renew(self):
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=1e-3, weight_decay=0.05)

    def step(self, imu):
        with torch.no_grad():
            raw = self.teacher(jitter(imu))
            goal = ((raw - self.center) / 0.1).softmax(-1)
            self.center.lerp_(raw.mean(0), 0.1)
        logp = (self.student(jitter(imu)) / 0.3).log_softmax(-1)
        loss = -(goal * logp).sum(-1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow()
        return loss.item()

    def follow(self, m=0.97):
        with torch.no_grad():
            for t, s in zip(self.teacher.parameters(), self.student.parameters()):
                t.lerp_(s, 1 - m)
        self.clock += 1
        if self.clock % self.restart_every == 0:
            self.student = copy.deepcopy(self.teacher)  # <- culprit
            self.renew()


if __name__ == "__main__":
    torch.manual_seed(13)
    learner = SelfDistil(GaitEncoder, restart_every=160)
    for n in range(700):
        rhythm = torch.rand(12, 1, 1) * 0.4 + 0.1
        imu = torch.sin(torch.arange(60) * rhythm + torch.arange(6).view(1, 6, 1))
        val = learner.step(imu)
        if n % 40 == 0:
            print(n, round(val, 4))
