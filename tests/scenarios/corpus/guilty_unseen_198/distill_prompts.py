# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Distil a frozen vision teacher into a student with a text-derived classifier head."""
import argparse

import torch
from torch import nn
import torch.nn.functional as F


class TextTower(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.mix = nn.TransformerEncoderLayer(d, 4, 2 * d, dropout=0.0, batch_first=True)
        self.proj = nn.Linear(d, d)

    def forward(self, tokens):
        return self.proj(self.mix(self.emb(tokens)).mean(1))


class ImageTower(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU(),
            nn.Flatten(), nn.Linear(width * 9, d),
        )

    def forward(self, im):
        return self.net(im)


class Student(nn.Module):
    def __init__(self, vocab=40, d=32):
        super().__init__()
        self.text = TextTower(vocab, d)
        self.image = ImageTower(d, 8)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def classifier(self, prompts):
        return F.normalize(self.text(prompts), dim=-1)

    def forward(self, im, head):
        return self.scale.exp() * F.normalize(self.image(im), dim=-1) @ head.T


def kd(s, t, T=2.0):
    return F.kl_div(F.log_softmax(s / T, -1), F.softmax(t / T, -1), reduction="batchmean") * T * T


def images(n, n_cls, proto):
    y = torch.randint(n_cls, (n,))
    return proto[y] + 0.4 * torch.randn(n, 1, 12, 12), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--iters_per_epoch", type=int, default=40)
    ap.add_argument("--alpha", type=float, default=0.7)
    a = ap.parse_args()
    torch.manual_seed(14)
    n_cls = 6
    proto = torch.randn(n_cls, 1, 12, 12)
    prompts = torch.randint(40, (n_cls, 5))
    teacher = nn.Sequential(ImageTower(32, 16), nn.ReLU(), nn.Linear(32, n_cls)).eval().requires_grad_(False)
    student = Student()
    opt = torch.optim.AdamW(student.parameters(), lr=1e-3)
    for epoch in range(a.epochs):
        head = student.classifier(prompts)  # <- culprit
        running, hits = 0.0, 0
        for _ in range(a.iters_per_epoch):
            im, y = images(16, n_cls, proto)
            t_logits = teacher(im)
            s_logits = student(im, head)
            loss = a.alpha * kd(s_logits, t_logits) + (1 - a.alpha) * F.cross_entropy(s_logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
            hits += (s_logits.argmax(-1) == y).sum().item()
        print(f"epoch {epoch} loss {running / a.iters_per_epoch:.4f} acc {hits / a.iters_per_epoch / 16:.3f}")


if __name__ == "__main__":
    main()
