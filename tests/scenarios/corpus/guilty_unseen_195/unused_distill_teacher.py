# gradwatch-corpus: kind=graph-unused
# first-bad: 1
import time

import torch
from torch import nn
import torch.nn.functional as F


class Mixer(nn.Module):
    def __init__(self, tokens, dim, depth, n_classes=4):
        super().__init__()
        self.stem = nn.Linear(6, dim)
        self.token_mix = nn.ModuleList(nn.Linear(tokens, tokens) for _ in range(depth))
        self.chan_mix = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))
            for _ in range(depth)
        )
        self.head = nn.Linear(dim, n_classes)

    def forward(self, x):
        x = self.stem(x)
        for tok, chan in zip(self.token_mix, self.chan_mix):
            x = x + tok(x.transpose(1, 2)).transpose(1, 2)
            x = x + chan(x)
        return self.head(x.mean(1))


class Patterns:
    def __init__(self, seed=0, tokens=8):
        self.gen = torch.Generator().manual_seed(seed)
        self.base = torch.randn(4, tokens, 6, generator=self.gen)

    def batch(self, n):
        y = torch.randint(0, 4, (n,), generator=self.gen)
        return self.base[y] + 1.2 * torch.randn(n, *self.base.shape[1:], generator=self.gen), y


@torch.no_grad()
def fit_head(model, data, n=800, ridge=1.0):
    """Closed-form readout on random mixer features."""
    keep, model.head = model.head, nn.Identity()
    x, y = data.batch(n)
    feats = model(x)
    model.head = keep
    gram = feats.t() @ feats + ridge * torch.eye(feats.size(1))
    weight = torch.linalg.solve(gram, feats.t() @ (F.one_hot(y, 4).float() * 8 - 2))
    model.head.weight.copy_(weight.t())
    model.head.bias.zero_()
    return model.eval()


def kd_loss(student_logits, teacher_logits, temperature):
    log_p = F.log_softmax(student_logits / temperature, -1)
    q = F.softmax(teacher_logits / temperature, -1)
    return F.kl_div(log_p, q, reduction="batchmean") * temperature**2


def main(steps=600, alpha=0.7, temperature=3.0):
    torch.manual_seed(0)
    data = Patterns()
    teacher = fit_head(Mixer(8, 32, 6), data)
    student = Mixer(8, 12, 1)
    opt = torch.optim.AdamW(student.parameters(), lr=3e-3)
    began, right, seen = time.time(), 0, 0
    for step in range(steps):
        x, y = data.batch(24)
        soft = teacher(x)  # <- culprit
        logits = student(x)
        loss = alpha * kd_loss(logits, soft.detach(), temperature) + (1 - alpha) * F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (logits.argmax(-1) == y).sum().item()
        seen += len(y)
        if step % 120 == 119:
            print(f"step {step + 1} loss {loss.item():.3f} acc {right / seen:.3f} ({time.time() - began:.1f}s)")


if __name__ == "__main__":
    main()
