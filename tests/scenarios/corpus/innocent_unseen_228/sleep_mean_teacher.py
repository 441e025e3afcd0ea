# gradwatch-corpus: kind=none
"""Semi-supervised sleep staging with a mean teacher and averaged weights."""
import math

import torch
from torch import nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class StageNet(nn.Module):
    def __init__(self, stages=4):
        super().__init__()
        self.conv = nn.Conv1d(2, 12, 11, stride=5)
        self.gru = nn.GRU(12, 16, batch_first=True)
        self.head = nn.Linear(16, stages)

    def forward(self, eeg):
        h = F.gelu(self.conv(eeg)).transpose(1, 2)
        _, last = self.gru(h)
        return self.head(last[0])


class SmoothedLoss:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.value = None

    @torch.no_grad()
    def update(self, loss):
        loss = loss.detach().clone()
        self.value = loss if self.value is None else self.beta * self.value + (1 - self.beta) * loss


def epochs_of_sleep(n, length=120):
    stage = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 1, length)
    freq = (3.0 + 5.0 * stage).view(-1, 1, 1)
    wave = torch.sin(2 * math.pi * freq * t.view(1, 1, -1)).repeat(1, 2, 1)
    return wave + 0.5 * torch.randn(n, 2, length), stage


def ramp(step, length=60):
    phase = 1 - min(step, length) / length
    return math.exp(-5 * phase * phase)


def main():
    torch.manual_seed(4242)
    student = StageNet()
    teacher = AveragedModel(student, multi_avg_fn=get_ema_multi_avg_fn(0.98))
    optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
    smooth = SmoothedLoss()
    previous_targets = None
    for step in range(100):
        labelled, stage = epochs_of_sleep(8)
        unlabelled, _ = epochs_of_sleep(16)
        with torch.no_grad():
            targets = teacher(unlabelled + 0.1 * torch.randn_like(unlabelled)).softmax(-1)
        supervised = F.cross_entropy(student(labelled), stage)
        consistency = F.mse_loss(student(unlabelled).softmax(-1), targets)
        loss = supervised + 5 * ramp(step) * consistency
        if previous_targets is not None:
            marginal_shift = (targets.mean(0) - previous_targets.mean(0)).abs().sum().item()
        previous_targets = targets
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        teacher.update_parameters(student)
        smooth.update(loss)
        if step % 20 == 19:
            print(f"{step + 1} loss {smooth.value.item():.4f} shift {marginal_shift:.4f}")


if __name__ == "__main__":
    main()
