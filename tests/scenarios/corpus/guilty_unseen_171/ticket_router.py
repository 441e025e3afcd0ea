# gradwatch-corpus: kind=memory-climb
# holder: _memo | hasher._memo | self.hasher._memo
# first-bad: 1
"""Routes support tickets to a team from their text. Tickets arrive as a stream; features are hashed
character n-grams."""
import random
import zlib

import numpy as np
import torch
from torch import nn

TEAMS = ["billing", "shipping", "account", "outage"]
WORDS = {
    "billing": "invoice charged twice refund card payment amount receipt".split(),
    "shipping": "parcel late courier address tracking box damaged delivery".split(),
    "account": "password login locked email reset profile username two-factor".split(),
    "outage": "down error timeout slow page crash server unavailable".split(),
}
FILLER = "hello please my the is again since yesterday help you can not it thanks".split()


class TicketStream:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.number = 100000

    def ticket(self):
        self.number += 1
        team = self.rng.randrange(len(TEAMS))
        words = self.rng.choices(FILLER, k=6) + self.rng.choices(WORDS[TEAMS[team]], k=2)
        if self.rng.random() < 0.3:
            words += self.rng.choices(WORDS[self.rng.choice(TEAMS)], k=1)
        self.rng.shuffle(words)
        return f"[#{self.number}] " + " ".join(words), team

    def batch(self, n):
        texts, teams = zip(*(self.ticket() for _ in range(n)))
        return list(texts), torch.tensor(teams)


class NgramHasher:
    """Text to a fixed-width count vector. Texts that were seen before come from the memo."""

    def __init__(self, dim=1024, n=3):
        self.dim, self.n = dim, n
        self._memo = {}

    def vector(self, text):
        hit = self._memo.get(text)
        if hit is not None:
            return hit
        v = np.zeros(self.dim, dtype=np.float32)
        padded = f" {text.lower()} "
        for i in range(len(padded) - self.n + 1):
            v[zlib.crc32(padded[i:i + self.n].encode()) % self.dim] += 1
        v /= np.linalg.norm(v)
        self._memo[text] = v  # <- culprit
        return v

    def __call__(self, texts):
        return torch.from_numpy(np.stack([self.vector(t) for t in texts]))


class Router(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, 32)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(32, len(TEAMS))

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.proj(x))))


class Service:
    def __init__(self, seed=12):
        torch.manual_seed(seed)
        self.stream = TicketStream(seed)
        self.hasher = NgramHasher()
        self.router = Router(self.hasher.dim)
        self.opt = torch.optim.Adam(self.router.parameters(), lr=2e-3)
        self.right = self.total = 0

    def learn(self, n=24):
        texts, teams = self.stream.batch(n)
        logits = self.router(self.hasher(texts))
        loss = nn.functional.cross_entropy(logits, teams)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.right += int((logits.argmax(1) == teams).sum())
        self.total += n
        return loss.item()

    def run(self, rounds=600):
        for r in range(rounds):
            loss = self.learn()
            if r % 100 == 99:
                print(f"round {r + 1}: loss {loss:.3f}  routed right {self.right / self.total:.1%}")
                self.right = self.total = 0


if __name__ == "__main__":
    Service().run()
