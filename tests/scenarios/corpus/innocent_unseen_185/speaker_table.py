# gradwatch-corpus: kind=none
"""Speaker-conditional emotion recogniser; sampling weights follow each speaker's latest loss."""
import random
from collections import defaultdict

import torch
from torch import nn
import torch.nn.functional as F

SPEAKERS = [f"{site}{n:02d}" for site in ("hel", "tku") for n in range(12)]


class EmotionNet(nn.Module):
    def __init__(self, dim, emotions):
        super().__init__()
        self.spk = nn.Embedding(len(SPEAKERS), 8)
        self.att = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.out = nn.Linear(dim + 8, emotions)

    def forward(self, frames, spk):
        h, _ = self.att(frames, frames, frames, need_weights=False)
        return self.out(torch.cat([h.mean(1), self.spk(spk).expand(len(frames), -1)], dim=-1))


class SpeakerBook:
    def __init__(self):
        self.latest = {}
        self.visits = defaultdict(int)

    def record(self, name, loss, logits):
        self.visits[name] += 1
        self.latest[name] = {"loss": loss, "logits": logits}

    def weights(self):
        default = max((r["loss"].item() for r in self.latest.values()), default=1.0)
        return [self.latest[n]["loss"].item() if n in self.latest else default for n in SPEAKERS]

    def entropy(self):
        ps = [r["logits"].softmax(-1) for r in map(self._detached, self.latest.values())]
        return torch.cat([-(p * p.log()).sum(-1) for p in ps]).mean().item()

    @staticmethod
    def _detached(rec):
        return {k: v.detach() for k, v in rec.items()}


def clip_batch(gen, style, n=8, frames=10, dim=24, emotions=4):
    y = torch.randint(0, emotions, (n,), generator=gen)
    x = torch.randn(n, frames, dim, generator=gen) + style
    x[:, :, 0] += y[:, None].float()
    x[:, :, 1] -= (y[:, None] % 2).float()
    return x, y


def main(steps=600):
    torch.manual_seed(55)
    rng = random.Random(55)
    gen = torch.Generator().manual_seed(56)
    styles = {n: 0.3 * torch.randn(24, generator=gen) for n in SPEAKERS}
    net = EmotionNet(24, 4)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    book = SpeakerBook()
    for step in range(steps):
        name = rng.choices(SPEAKERS, weights=book.weights())[0]
        x, y = clip_batch(gen, styles[name])
        logits = net(x, torch.tensor(SPEAKERS.index(name)))
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        book.record(name, loss, logits)
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.3f} entropy {book.entropy():.3f} seen {len(book.latest)}")


if __name__ == "__main__":
    main()
