# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F
import random

# text -> next letter and "is this a vowel" at the same time, two heads on one RNN

torch.manual_seed(3)
random.seed(3)

names = ["anna", "bernard", "charlotte", "dimitri", "eleonore", "francois", "gabriela", "hendrik"]
text = " ".join(random.choice(names) for _ in range(3000))
letters = sorted(set(text))
stoi = {c: i for i, c in enumerate(letters)}
data = torch.tensor([stoi[c] for c in text])
vowel = torch.tensor([1.0 if c in "aeiou" else 0.0 for c in text])

BATCH = 20
SEQ = 16
HIDDEN = 100
EPOCHS = 4
STEPS = 50

L = len(data) // BATCH
data = data[:L * BATCH].view(BATCH, L)
vowel = vowel[:L * BATCH].view(BATCH, L)


class CharModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(letters), 32)
        self.lstm = nn.LSTM(32, HIDDEN, num_layers=2, batch_first=True, dropout=0.1)
        self.letter_head = nn.Linear(HIDDEN, len(letters))
        self.vowel_head = nn.Linear(HIDDEN, 1)

    def forward(self, x, hidden):
        out, hidden = self.lstm(self.embedding(x), hidden)
        return self.letter_head(out), self.vowel_head(out).squeeze(2), hidden


def init_hidden(n):
    return (torch.zeros(2, n, HIDDEN), torch.zeros(2, n, HIDDEN))


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


model = CharModel()
optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
letter_losses = []
vowel_losses = []
states = []

for epoch in range(EPOCHS):
    hidden = init_hidden(BATCH)
    total_loss = 0
    for step in range(STEPS):
        i = step * SEQ
        x = data[:, i:i + SEQ]
        y = data[:, i + 1:i + SEQ + 1]
        v = vowel[:, i + 1:i + SEQ + 1]

        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        letter_out, vowel_out, hidden = model(x, hidden)
        loss1 = F.cross_entropy(letter_out.reshape(-1, len(letters)), y.reshape(-1))
        loss2 = F.binary_cross_entropy_with_logits(vowel_out, v)

        loss1.backward(retain_graph=True)
        norm1 = sum(p.grad.norm() for p in model.lstm.parameters())
        loss2.backward()
        norm2 = sum(p.grad.norm() for p in model.lstm.parameters())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

        total_loss += loss1.detach() + loss2.detach()
        letter_losses.append(loss1.item())
        vowel_losses.append(loss2.item())
        if step % 10 == 9:
            states.append(hidden[0][:, 0].data)
    print("epoch", epoch, "loss", (total_loss / STEPS).item(), "grad norms", float(norm1), float(norm2))


def sample(n=60, start="a"):
    model.eval()
    h = init_hidden(1)
    x = torch.tensor([[stoi[start]]])
    out = start
    with torch.no_grad():
        for _ in range(n):
            p, _, h = model(x, h)
            k = torch.multinomial(F.softmax(p[0, -1], 0), 1)
            out += letters[k.item()]
            x = k.view(1, 1)
    model.train()
    return out


print(sample())
print("last letter losses", [round(l, 3) for l in letter_losses[-5:]])
print("state drift", (states[-1] - states[0]).norm().item())
