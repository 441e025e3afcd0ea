# gradwatch-corpus: kind=second-backward
# holder: enc | window | span
# first-bad: 13
# notice: 0
"""Tags sentences of (synthetic) court documents as fact / argument / ruling.

Documents arrive from an async feed; long ones are cut into windows so that every
optimizer step sees about the same number of sentences.
"""
import asyncio
import random

import torch
from torch import nn

WINDOW = 8
TAGS = ("fact", "argument", "ruling")
VOCAB = 90


async def feed(rng):
    """Short notices first, full opinions from the thirteenth document on."""
    for number in range(60):
        length = WINDOW if number < 12 else rng.choice([16, 24, 32])
        sentences, tags = [], []
        for pos in range(length):
            tag = min(2, int(3 * (pos + rng.random()) / length))
            sentences.append([rng.randrange(30 * tag, 30 * tag + 45) % VOCAB for _ in range(6)])
            tags.append(tag)
        await asyncio.sleep(0)
        yield number, torch.tensor(sentences), torch.tensor(tags)


class Tagger(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.words = nn.EmbeddingBag(VOCAB, dim, mode="mean")
        self.flow = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * dim, len(TAGS))

    def encode(self, sentences):
        out, _ = self.flow(torch.tanh(self.words(sentences)).unsqueeze(0))
        return out.squeeze(0)


async def windows(model, docs):
    async for number, sentences, tags in docs:
        enc = model.encode(sentences)  # <- culprit
        for a in range(0, len(tags), WINDOW):
            yield number, enc[a:a + WINDOW], tags[a:a + WINDOW]  # <- culprit


async def train(model, rng):
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    step = right = seen = 0
    async for number, span, gold in windows(model, feed(rng)):
        logits = model.score(span)
        loss = nn.functional.cross_entropy(logits, gold)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (logits.argmax(1) == gold).sum().item()
        seen += len(gold)
        if step % 4 == 0:
            print(f"step {step:3d} doc {number:3d} loss {loss.item():.3f} acc {right / seen:.3f}")
        step += 1


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(1215)
    asyncio.run(train(Tagger(), random.Random(1215)))
