# gradwatch-corpus: kind=none
"""Feature distillation of an audio tagger: forward hooks tap both nets, the taps are emptied each step."""
import torch

torch.set_num_threads(1)

import torch.nn.functional as F
from torch import nn

from taps import FeatureTaps


def tagger(width, tags=5):
    return nn.Sequential(
        nn.Conv1d(12, width, 3), nn.ReLU(), nn.Conv1d(width, width, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(width, tags)
    )


class Distiller:
    def __init__(self):
        self.teacher, self.student = tagger(16).eval(), tagger(6)
        self.teacher.requires_grad_(False)
        self.adapters = nn.ModuleList([nn.Conv1d(6, 16, 1), nn.Conv1d(6, 16, 1)])
        self.t_taps, self.s_taps = FeatureTaps(self.teacher, (0, 2)), FeatureTaps(self.student, (0, 2))
        self.opt = torch.optim.Adam([*self.student.parameters(), *self.adapters.parameters()], lr=3e-3)

    def step(self, mel):
        with self.t_taps, self.s_taps:
            goal, out = self.teacher(mel), self.student(mel)
            soft = F.kl_div(F.log_softmax(out / 2, -1), F.softmax(goal / 2, -1), reduction="batchmean")
            pairs = zip(self.adapters, self.s_taps.features, self.t_taps.features)
            hint = sum(F.mse_loss(ad(s), t) for ad, s, t in pairs)
            self.opt.zero_grad()
            (soft + 0.5 * hint).backward()
            self.opt.step()
        return soft.item(), hint.item()


if __name__ == "__main__":
    torch.manual_seed(49)
    d = Distiller()
    for k in range(500):
        soft, hint = d.step(torch.randn(8, 12, 14))
        if k % 125 == 0:
            print(k, f"soft {soft:.4f} hint {hint:.4f}")
