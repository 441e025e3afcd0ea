# gradwatch-corpus: kind=graph-held
# holder: self.state["log_history"] | trainer.state["log_history"]
# first-bad: 1
"""Small GAN that makes heart beats (64 samples each)."""
import json
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GanArguments:
    beat_len: int = 64
    latent: int = 10
    max_steps: int = 120
    batch_size: int = 32
    lr_g: float = 1e-3
    lr_d: float = 5e-4
    logging_steps: int = 20
    seed: int = 21
    label_smooth: float = 0.9


class BeatMaker(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(args.latent, 64),
            nn.LeakyReLU(0.2),
            nn.Linear(64, 96),
            nn.LeakyReLU(0.2),
            nn.Linear(96, args.beat_len),
        )

    def forward(self, z):
        return torch.tanh(self.body(z))


class BeatJudge(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.c1 = nn.Conv1d(1, 8, 7, stride=2, padding=3)
        self.c2 = nn.Conv1d(8, 16, 5, stride=2, padding=2)
        self.fc = nn.Linear(16 * (args.beat_len // 4), 1)

    def forward(self, x):
        h = F.leaky_relu(self.c1(x[:, None]), 0.2)
        h = F.leaky_relu(self.c2(h), 0.2)
        return self.fc(h.flatten(1)).squeeze(1)


def real_beats(n, length):
    t = torch.linspace(-1, 1, length)
    centre = 0.1 * torch.randn(n, 1)
    width = 0.06 + 0.02 * torch.rand(n, 1)
    qrs = torch.exp(-((t - centre) / width) ** 2)
    t_wave = 0.3 * torch.exp(-((t - centre - 0.5) / 0.15) ** 2)
    return 0.9 * qrs + t_wave - 0.1 + 0.02 * torch.randn(n, length)


class GanTrainer:
    def __init__(self, args):
        self.args = args
        self.gen = BeatMaker(args)
        self.dis = BeatJudge(args)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=args.lr_g, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.dis.parameters(), lr=args.lr_d, betas=(0.5, 0.99))
        self.state = {"global_step": 0, "log_history": []}

    def train_dis(self, real):
        z = torch.randn(real.size(0), self.args.latent)
        with torch.no_grad():
            fake = self.gen(z)
        out_r = self.dis(real)
        out_f = self.dis(fake)
        loss = F.binary_cross_entropy_with_logits(out_r, torch.full_like(out_r, self.args.label_smooth))
        loss = loss + F.binary_cross_entropy_with_logits(out_f, torch.zeros_like(out_f))
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item(), (out_r > 0).float().mean().item()

    def train_gen(self):
        z = torch.randn(self.args.batch_size, self.args.latent)
        out = self.dis(self.gen(z))
        loss = F.softplus(-out).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss  # <- culprit

    def log(self, **values):
        entry = {"step": self.state["global_step"]}
        entry.update(values)
        self.state["log_history"].append(entry)  # <- culprit

    def train(self):
        while self.state["global_step"] < self.args.max_steps:
            real = real_beats(self.args.batch_size, self.args.beat_len)
            d_loss, real_acc = self.train_dis(real)
            g_loss = self.train_gen()
            self.log(d_loss=d_loss, g_loss=g_loss, real_acc=real_acc)  # <- culprit
            self.state["global_step"] += 1
            if self.state["global_step"] % self.args.logging_steps == 0:
                self.report()

    def report(self):
        last = self.state["log_history"][-self.args.logging_steps:]
        mean = {k: sum(float(e[k]) for e in last) / len(last) for k in ("d_loss", "g_loss", "real_acc")}
        print(self.state["global_step"], json.dumps({k: round(v, 4) for k, v in mean.items()}))


if __name__ == "__main__":
    args = GanArguments()
    torch.manual_seed(args.seed)
    trainer = GanTrainer(args)
    trainer.train()
    print("entries", len(trainer.state["log_history"]))
