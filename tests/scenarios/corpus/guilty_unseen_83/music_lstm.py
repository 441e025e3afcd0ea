# gradwatch-corpus: kind=second-backward
# holder: state
# first-bad: 24
# notice: 0
"""
char-rnn style melody generator. Tunes are simple folk-like walks on a scale,
tokenised as pitch indices. First epoch is stateless, afterwards the LSTM state follows the tune.
"""
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
random.seed(5)
torch.manual_seed(5)

SCALE = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16]
REST = len(SCALE)
VOCAB = len(SCALE) + 1
CHUNK = 16
BATCH = 8
EPOCHS = 8
CHUNKS_PER_EPOCH = 24
device = "cpu"


def make_tune(n):
    pos, out = random.randrange(len(SCALE)), []
    motif = [random.choice([-2, -1, 1, 2]) for _ in range(4)]
    for i in range(n):
        if i % 16 == 15:
            out.append(REST)
            continue
        step = motif[i % 4] if random.random() < 0.8 else random.choice([-1, 1])
        pos = max(0, min(len(SCALE) - 1, pos + step))
        out.append(pos)
    return out


corpus = torch.tensor([make_tune(CHUNK * CHUNKS_PER_EPOCH + 1) for _ in range(BATCH)], device=device)


def chunks():
    for k in range(CHUNKS_PER_EPOCH):
        a = k * CHUNK
        yield corpus[:, a:a + CHUNK], corpus[:, a + 1:a + CHUNK + 1]


class MelodyRNN(nn.Module):
    def __init__(self, emb=16, hidden=48):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(VOCAB, emb)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.proj = nn.Linear(hidden, VOCAB)

    def init_state(self, batch):
        zeros = torch.zeros(1, batch, self.hidden, device=device)
        return zeros, zeros.clone()

    def forward(self, notes, state):
        out, state = self.rnn(self.embed(notes), state)
        return self.proj(self.drop(out)), state


def sample(model, n=32, temperature=0.8):
    model.eval()
    note = torch.tensor([[0]])
    state, tune = model.init_state(1), []
    with torch.no_grad():
        for _ in range(n):
            logits, state = model(note, state)
            note = torch.multinomial((logits[:, -1] / temperature).softmax(-1), 1)
            tune.append(note.item())
    model.train()
    return " ".join("-" if t == REST else str(SCALE[t]) for t in tune)


model = MelodyRNN()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)

state = model.init_state(BATCH)
for epoch in range(EPOCHS):
    stateful = epoch > 0
    total = 0.0
    for notes, targets in chunks():
        if not stateful:
            state = model.init_state(BATCH)
        logits, state = model(notes, state)  # <- culprit
        loss = criterion(logits.reshape(-1, VOCAB), targets.reshape(-1))
        optimizer.zero_grad()
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / CHUNKS_PER_EPOCH:.3f}")
    print("   ", sample(model))
