# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
"""Keyword spotting on synthetic spectrograms, periodic evaluation every 40 batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

WORDS = ["yes", "no", "stop", "go"]
MELS, FRAMES = 12, 16


def utterance(word, n):
    spec = 0.4 * torch.randn(n, MELS, FRAMES)
    f = torch.arange(FRAMES)
    track = {0: 2 + f // 4, 1: 9 - f // 4, 2: torch.full_like(f, 5), 3: 3 + (f % 6)}[word]
    for k in range(n):
        shift = int(torch.randint(0, 3, ()))
        spec[k, (track + shift).clamp(max=MELS - 1), f] += 2.0
    return spec


def make_batch(n):
    label = torch.randint(0, len(WORDS), (n,))
    spec = torch.cat([utterance(int(w), 1) for w in label])
    return spec, label


class DSConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.depth = nn.Conv1d(c_in, c_in, 3, padding=1, groups=c_in)
        self.point = nn.Conv1d(c_in, c_out, 1)
        self.norm = nn.BatchNorm1d(c_out)

    def forward(self, x):
        return F.relu(self.norm(self.point(self.depth(x))))


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(DSConv(MELS, 12), DSConv(12, 12))
        self.fc = nn.Linear(12, len(WORDS))

    def forward(self, spec):
        return self.fc(self.blocks(spec).mean(-1))


class Runner:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)

    def phase(self, name):
        train = name == "train"
        self.model.train(train)
        if not train:
            torch.set_grad_enabled(False)  # <- culprit

    def evaluate(self, n=40):
        self.phase("eval")
        spec, label = make_batch(n)
        logits = self.model(spec)
        hit = (logits.argmax(1) == label).float().mean().item()
        self.phase("train")
        return hit

    def train_batch(self):
        spec, label = make_batch(12)
        loss = F.cross_entropy(self.model(spec), label)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, batches, eval_every=40):
        self.phase("train")
        for b in range(1, batches + 1):
            loss = self.train_batch()
            if b % eval_every == 0:
                print(f"batch {b} loss {loss:.3f} acc {self.evaluate():.2f}")


if __name__ == "__main__":
    torch.manual_seed(29)
    Runner(Spotter()).fit(400)
