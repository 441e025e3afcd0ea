# gradwatch-corpus: kind=second-backward
# holder: self.slots | self.memory.slots | net.memory.slots | model.memory.slots
# first-bad: 1
"""Key-value memory network: remembers facts over a stream of batches."""
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("memnet")

VOCAB, DIM, SLOTS = 40, 24, 12


class SlotMemory(nn.Module):
    def __init__(self, n_slots, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.gate = nn.Linear(2 * dim, dim)
        self.n_slots, self.dim = n_slots, dim
        self.slots = torch.zeros(n_slots, dim)

    def reset(self):
        self.slots = torch.zeros(self.n_slots, self.dim)

    def read(self, x):
        att = torch.softmax(self.query(x) @ self.slots.t() / self.dim ** 0.5, dim=-1)
        return att @ self.slots, att

    def write(self, x, att):
        content = att.t() @ x / x.size(0)
        g = torch.sigmoid(self.gate(torch.cat([self.slots, content], dim=-1)))
        self.slots = (1 - g) * self.slots + g * content  # <- culprit


class MemNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.EmbeddingBag(VOCAB, DIM)
        self.memory = SlotMemory(SLOTS, DIM)
        self.head = nn.Linear(2 * DIM, 5)

    def forward(self, tokens):
        x = self.embed(tokens)
        r, att = self.memory.read(x)  # <- culprit
        self.memory.write(x, att)
        return self.head(torch.cat([x, r], dim=-1))


def stream(n_batches, bs=32, seed=11):
    g = torch.Generator().manual_seed(seed)
    rule = torch.randint(0, 5, (VOCAB,), generator=g)
    for _ in range(n_batches):
        tok = torch.randint(0, VOCAB, (bs, 6), generator=g)
        yield tok, rule[tok].mode(dim=1).values


def fit(model, epochs=2):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for ep in range(epochs):
        model.memory.reset()
        right = total = 0
        for i, (tok, y) in enumerate(stream(50)):
            opt.zero_grad(set_to_none=True)
            out = model(tok)
            loss = F.cross_entropy(out, y)
            loss.backward()
            opt.step()
            right += (out.argmax(1) == y).sum().item()
            total += len(y)
            if i % 10 == 0:
                log.info("ep %d step %d loss %.3f", ep, i, loss.item())
        log.info("ep %d acc %.3f", ep, right / total)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = MemNet()
    log.info("%d parameters", sum(p.numel() for p in net.parameters()))
    fit(net)
