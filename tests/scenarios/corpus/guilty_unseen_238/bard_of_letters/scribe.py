import torch
import torch.nn as nn
import torch.nn.functional as F


class Scribe(nn.Module):
    def __init__(self, n_chars, width):
        super().__init__()
        self.n_chars = n_chars
        self.width = width
        self.embed = nn.Embedding(n_chars, 16)
        self.mix = nn.Linear(16 + width, width)
        self.out = nn.Linear(width, n_chars)
        self.memory = {"h": torch.zeros(width), "seen": 0}

    def tick(self, char, h):
        e = self.embed(char)
        return torch.tanh(self.mix(torch.cat([e, h])))

    def read(self, chars):
        h = self.memory["h"]  # <- culprit
        outs = []
        for c in chars:
            h = self.tick(c, h)
            outs.append(self.out(h))
        self.memory["h"] = h  # <- culprit
        self.memory["seen"] += len(chars)
        return torch.stack(outs)

    def learn(self, lr, clip):
        nn.utils.clip_grad_norm_(self.parameters(), clip)
        for p in self.parameters():
            p.data.add_(p.grad, alpha=-lr)

    @torch.no_grad()
    def babble(self, first, count):
        h = torch.zeros(self.width)
        c = first
        picked = [int(c)]
        for _ in range(count):
            h = self.tick(c, h)
            probs = F.softmax(self.out(h) / 0.8, dim=0)
            c = torch.multinomial(probs, 1)[0]
            picked.append(int(c))
        return picked
