# gradwatch-corpus: kind=crashed
# first-bad: 0
"""Joint intent detection and slot filling on templated utterances."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(1)
torch.manual_seed(1)

TEMPLATES = [
    ("play", "play some {genre} music in the {room}"),
    ("light", "turn on the lights in the {room}"),
    ("alarm", "wake me up at {hour} in the morning"),
    ("light", "dim the {room} lamps at {hour}"),
]
FILL = {
    "genre": ["jazz", "folk", "techno"],
    "room": ["kitchen", "attic", "garden"],
    "hour": ["six", "seven", "eight"],
}
INTENTS = ["play", "light", "alarm"]
SLOTS = ["O"] + sorted(FILL)


def generate(n):
    out = []
    for _ in range(n):
        intent, tpl = random.choice(TEMPLATES)
        words, tags = [], []
        for w in tpl.split():
            if w.startswith("{"):
                slot = w.strip("{}")
                words.append(random.choice(FILL[slot]))
                tags.append(slot)
            else:
                words.append(w)
                tags.append("O")
        out.append((words, tags, intent))
    return out


corpus = generate(300)
vocab = {"<pad>": 0}
for words, _, _ in corpus:
    for w in words:
        vocab.setdefault(w, len(vocab))


def collate(rows):
    width = max(len(w) for w, _, _ in rows)
    tok = torch.zeros(len(rows), width, dtype=torch.long)
    tag = torch.full((len(rows), width), -100)
    for i, (w, t, _) in enumerate(rows):
        tok[i, :len(w)] = torch.tensor([vocab[x] for x in w])
        tag[i, :len(t)] = torch.tensor([SLOTS.index(x) for x in t])
    return tok, tag, torch.tensor([INTENTS.index(r[2]) for r in rows])


class Tagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(len(vocab), dim, padding_idx=0)
        self.enc = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.slot = nn.Linear(2 * dim, len(SLOTS))
        self.intent = nn.Linear(2 * dim, len(INTENTS))

    def forward(self, tok):
        h, _ = self.enc(self.emb(tok))
        return self.slot(h), self.intent(h.max(1).values)


model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
weights = torch.tensor([0.4, 0.6])

for step in range(500):
    tok, tag, intent = collate(random.sample(corpus, 16))
    slot_logits, intent_logits = model(tok)
    parts = [
        F.cross_entropy(intent_logits, intent),
        F.cross_entropy(slot_logits.transpose(1, 2), tag, ignore_index=-100),
    ]
    loss = (weights * torch.tensor([p for p in parts])).sum()  # <- culprit
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, [round(p.item(), 4) for p in parts])
