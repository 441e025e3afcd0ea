import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, feat, vocab, h=20):
        super().__init__()
        self.conv = nn.Conv1d(feat, h, 3, padding=1)
        self.gru = nn.GRU(h, h, batch_first=True)
        self.out = nn.Linear(h, vocab)

    def forward(self, x):
        h = torch.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        return self.out(self.gru(h)[0]).log_softmax(-1)


class MeanTeacher:
    def __init__(self, feat, vocab, decay=0.98):
        self.student = Net(feat, vocab)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.decay = decay

    def losses(self, x, y, u, ramp):
        lp = self.student(x)
        n, t = lp.shape[:2]
        sup = nn.functional.ctc_loss(lp.transpose(0, 1), y, torch.full((n,), t), torch.full((n,), y.shape[1]))
        soft = self.teacher(u + 0.1 * torch.randn_like(u))
        agree = nn.functional.kl_div(self.student(u), soft, log_target=True, reduction="batchmean") / t
        return {"loss": sup + ramp * agree, "ctc": sup, "consistency": agree}

    @torch.no_grad()
    def follow(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - self.decay)
