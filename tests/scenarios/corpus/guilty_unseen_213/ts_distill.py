# gradwatch-corpus: kind=graph-unused
# first-bad: 0
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class DistillConfig:
    seq_len: int = 40
    channels: int = 3
    classes: int = 5
    batch: int = 24
    steps: int = 120
    temperature: float = 3.0
    alpha: float = 0.7


class BaseDistiller:
    def __init__(self, teacher, student, cfg):
        self.teacher, self.student, self.cfg = teacher, student, cfg
        self.optim = torch.optim.Adam(student.parameters(), lr=2e-3)

    def soft_targets(self, x):
        logits = self.teacher(x)  # <- culprit
        return F.softmax(logits.detach() / self.cfg.temperature, -1)

    def compute_loss(self, x, y):
        raise NotImplementedError

    def step(self, x, y):
        loss, parts = self.compute_loss(x, y)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return parts


class HintonDistiller(BaseDistiller):
    def compute_loss(self, x, y):
        t = self.cfg.temperature
        target = self.soft_targets(x)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / t, -1), target, reduction="batchmean") * t * t
        ce = F.cross_entropy(logits, y)
        parts = {"kd": kd.item(), "ce": ce.item(), "acc": (logits.argmax(-1) == y).float().mean().item()}
        return self.cfg.alpha * kd + (1 - self.cfg.alpha) * ce, parts


class LSTMTeacher(nn.Module):
    def __init__(self, cfg, hid=48):
        super().__init__()
        self.rnn = nn.LSTM(cfg.channels, hid, num_layers=2, batch_first=True)
        self.fc = nn.Sequential(nn.Linear(hid, hid), nn.ReLU(), nn.Linear(hid, cfg.classes))

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out.mean(1))


class ConvStudent(nn.Module):
    def __init__(self, cfg, ch=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(cfg.channels, ch, 5, stride=2), nn.ReLU(),
            nn.Conv1d(ch, ch, 5, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(ch, cfg.classes),
        )

    def forward(self, x):
        return self.net(x.transpose(1, 2))


def make_batch(cfg):
    y = torch.randint(0, cfg.classes, (cfg.batch,))
    t = torch.linspace(0, 1, cfg.seq_len)
    ph = torch.rand(cfg.batch, 1, cfg.channels) * 6.28
    x = torch.sin(6.28 * (y[:, None, None] + 1) * t[None, :, None] + ph)
    return x + 0.2 * torch.randn_like(x), y


def pretrain(teacher, cfg, n=60):
    opt = torch.optim.Adam(teacher.parameters(), lr=5e-3)
    for _ in range(n):
        x, y = make_batch(cfg)
        opt.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        opt.step()
    opt.zero_grad()
    return teacher.eval()


def main():
    cfg = DistillConfig()
    torch.manual_seed(99)
    teacher = pretrain(LSTMTeacher(cfg), cfg)
    d = HintonDistiller(teacher, ConvStudent(cfg), cfg)
    for step in range(cfg.steps):
        parts = d.step(*make_batch(cfg))
        if step % 30 == 0:
            print(step, " ".join(f"{k}={v:.3f}" for k, v in parts.items()))


if __name__ == "__main__":
    main()
