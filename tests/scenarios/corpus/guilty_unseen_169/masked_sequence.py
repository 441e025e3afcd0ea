# gradwatch-corpus: kind=inplace-modified
# first-bad: 60
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(131)


@dataclass
class Lesson:
    name: str
    until: int
    length: int
    span_drop: float


class Curriculum:
    def __init__(self, lessons):
        self.lessons = lessons

    def at(self, step):
        for lesson in self.lessons:
            if step < lesson.until:
                return lesson
        return self.lessons[-1]


class SpanDrop(nn.Module):
    """Takes whole key positions out of an attention map and renormalises the rest."""

    def __init__(self):
        super().__init__()
        self.rate = 0.0

    def forward(self, attn):
        if not self.training or self.rate == 0.0:
            return attn
        gone = torch.rand(attn.shape[0], 1, attn.shape[-1]) < self.rate
        attn.masked_fill_(gone, 0.0)  # <- culprit
        return attn / attn.sum(-1, keepdim=True).clamp_min(1e-6)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.drop = SpanDrop()

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).chunk(3, dim=-1)
        attn = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=-1)  # <- culprit
        attn = self.drop(attn)  # <- culprit
        x = x + self.proj(attn @ v)
        return x + self.ff(self.n2(x))


class CopyModel(nn.Module):
    def __init__(self, vocab, d=24, max_len=24):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(max_len, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(2))
        self.out = nn.Linear(d, vocab)

    def forward(self, ids):
        h = self.tok(ids) + self.pos.weight[:ids.shape[1]]
        for block in self.blocks:
            h = block(h)
        return self.out(h)


class Trainer:
    def __init__(self, model, curriculum, vocab):
        self.model, self.curriculum, self.vocab = model, curriculum, vocab
        self.opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
        self.lesson = None

    def apply(self, lesson):
        self.lesson = lesson
        for m in self.model.modules():
            if isinstance(m, SpanDrop):
                m.rate = lesson.span_drop
        print("lesson", lesson.name)

    def batch(self, n=16):
        clean = torch.randint(1, self.vocab, (n, self.lesson.length // 2)).repeat(1, 2)
        hidden = torch.rand(clean.shape) < 0.2
        return clean.masked_fill(hidden, 0), clean, hidden

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            ids, clean, hidden = self.batch(64)
            acc = (self.model(ids).argmax(-1) == clean)[hidden].float().mean().item()
        self.model.train()
        return acc

    def fit(self, steps):
        for step in range(steps):
            lesson = self.curriculum.at(step)
            if lesson is not self.lesson:
                self.apply(lesson)
            ids, clean, hidden = self.batch()
            loss = F.cross_entropy(self.model(ids)[hidden], clean[hidden])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 20 == 19:
                print(step + 1, f"loss {loss.item():.4f} acc {self.evaluate():.3f}")


if __name__ == "__main__":
    plan = Curriculum([Lesson("short", 30, 8, 0.0), Lesson("long", 60, 16, 0.0), Lesson("robust", 120, 16, 0.15)])
    Trainer(CopyModel(vocab=12), plan, vocab=12).fit(120)
