# gradwatch-corpus: kind=none
"""Essay grades from token ids; two dropout passes are pulled together (R-Drop)."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Conf:
    vocab: int = 60
    length: int = 20
    dim: int = 32
    grades: int = 5
    batch: int = 32
    steps: int = 120
    alpha: float = 0.5
    lr: float = 2e-3


class RunningScale(nn.Module):
    """Divide by a running root-mean-square that is refreshed on every training pass."""

    def __init__(self, dim, momentum=0.05):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))
        self.register_buffer("ms", torch.ones(dim))
        self.momentum = momentum

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.ms.lerp_(x.pow(2).flatten(0, -2).mean(0), self.momentum)
        scale = self.ms.clone().add_(1e-5).rsqrt_()
        return x * scale * self.gain


class Grader(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg.dim
        self.embed = nn.Embedding(cfg.vocab, d, padding_idx=0)
        self.freq = nn.Parameter(torch.exp(-torch.arange(d // 2) * math.log(100.0) / (d // 2)))
        self.scale_in, self.scale_mid = RunningScale(d), RunningScale(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.up, self.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(d, cfg.grades)

    def places(self, t):
        angle = torch.arange(t).unsqueeze(1) * self.freq
        return torch.cat([angle.sin(), angle.cos()], -1)

    def forward(self, ids):
        pad = ids == 0
        x = self.embed(ids)
        x += 0.1 * self.places(ids.shape[1])
        q, k, v = self.qkv(self.scale_in(x)).chunk(3, -1)
        scores = q @ k.transpose(1, 2)
        scores.div_(math.sqrt(q.shape[-1])).masked_fill_(pad.unsqueeze(1), -1e4)
        x = x + self.drop(scores.softmax(-1) @ v)
        h = self.up(self.scale_mid(x))
        F.relu_(h)
        x = x + self.drop(self.down(h))
        x = x.masked_fill(pad.unsqueeze(-1), 0.0)
        return self.head(x.sum(1) / (~pad).sum(1, keepdim=True))


def essays(cfg, gen):
    ids = torch.randint(1, cfg.vocab, (cfg.batch, cfg.length), generator=gen)
    size = torch.randint(cfg.length // 2, cfg.length + 1, (cfg.batch, 1), generator=gen)
    ids[torch.arange(cfg.length) >= size] = 0
    good = (ids > 40).float().sum(1) / size.squeeze(1)
    grade = (good * 10).long() - 1
    return ids, grade.clamp(0, cfg.grades - 1)


def two_way_kl(a, b):
    la, lb = a.log_softmax(-1), b.log_softmax(-1)
    return 0.5 * (F.kl_div(la, lb, log_target=True, reduction="batchmean")
                  + F.kl_div(lb, la, log_target=True, reduction="batchmean"))


def main(cfg=Conf()):
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(31)
    model = Grader(cfg).train()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    seen = hit = 0
    for step in range(1, cfg.steps + 1):
        ids, grade = essays(cfg, gen)
        first, second = model(ids), model(ids)
        loss = 0.5 * (F.cross_entropy(first, grade) + F.cross_entropy(second, grade))
        loss += cfg.alpha * two_way_kl(first, second)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hit += (first.argmax(1) == grade).sum().item()
        seen += len(grade)
        if step % 20 == 0:
            print(f"step {step:4d}  loss {loss.item():.4f}  acc {hit / seen:.3f}")
            seen = hit = 0


if __name__ == "__main__":
    main()
