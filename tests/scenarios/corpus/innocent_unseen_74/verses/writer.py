import collections

import torch
from torch import nn
import torch.nn.functional as F


class Writer(nn.Module):
    def __init__(self, n, width=32):
        super().__init__()
        self.embed = nn.Embedding(n, 12)
        self.gru = nn.GRU(12, width, batch_first=True)
        self.out = nn.Linear(width, n)
        self.memory = None
        self.trail = []

    def forget(self):
        self.memory = None
        self.trail.clear()

    def forward(self, x):
        if self.memory is not None:
            self.memory = self.memory.detach()
        states, self.memory = self.gru(self.embed(x), self.memory)
        self.trail.append(states)
        return self.out(states)

    def calmness(self):
        """States should not jump from one letter to the next."""
        cost = sum((s[:, 1:] - s[:, :-1]).pow(2).mean() for s in self.trail)
        self.trail.clear()
        return cost

    @torch.no_grad()
    def write(self, poem, start, n):
        kept, self.memory = self.memory, None
        letters = list(start)
        logits = self(poem.encode(start).unsqueeze(0))
        for _ in range(n):
            p = torch.softmax(logits[0, -1] / 0.7, dim=0)
            i = torch.multinomial(p, 1)
            letters.append(poem.letters[int(i)])
            logits = self(i.view(1, 1))
        self.trail.clear()
        self.memory = kept
        return "".join(letters)


class Teacher:
    def __init__(self, writer, poem):
        self.writer, self.poem = writer, poem
        self.optimizer = torch.optim.Adam(writer.parameters(), lr=0.01)
        self.recent = collections.deque(maxlen=15)
        self.best, self.best_state = float("inf"), None

    def lesson(self, length, rounds):
        self.writer.forget()
        for number, (x, y) in enumerate(self.poem.pieces(length)):
            if number == rounds:
                break
            logits = self.writer(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            total = loss + 0.05 * self.writer.calmness()
            self.optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(self.writer.parameters(), 2.0)
            self.optimizer.step()
            self.recent.append(loss.detach())
            self.remember()

    def remember(self):
        if self.mean_loss() < self.best:
            self.best = self.mean_loss()
            self.best_state = {k: v.detach().clone() for k, v in self.writer.state_dict().items()}

    def mean_loss(self):
        return (sum(self.recent) / len(self.recent)).item()

    def restore(self):
        self.writer.load_state_dict(self.best_state)
