# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Character-level LSTM language model."""
import torch
import torch.nn as nn

torch.manual_seed(1)

text = ("the quick brown fox jumps over the lazy dog while the old man sits by the river "
        "and counts the boats that pass under the bridge in the evening light ") * 60
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
itos = {i: c for c, i in stoi.items()}
data = torch.tensor([stoi[c] for c in text])

batch_size = 8
seq_len = 20
hidden_size = 64
num_layers = 1
num_epochs = 8


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data[:nbatch * bsz].view(bsz, -1)


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden, layers):
        super().__init__()
        self.hidden = hidden
        self.layers = layers
        self.embed = nn.Embedding(vocab, 32)
        self.lstm = nn.LSTM(32, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, vocab)

    def forward(self, x, state):
        out, state = self.lstm(self.embed(x), state)
        return self.fc(out.reshape(-1, self.hidden)), state

    def init_hidden(self, bsz):
        return (torch.zeros(self.layers, bsz, self.hidden),
                torch.zeros(self.layers, bsz, self.hidden))


def sample(model, start="the ", n=60):
    model.eval()
    with torch.no_grad():
        state = model.init_hidden(1)
        idx = torch.tensor([[stoi[c] for c in start]])
        out = start
        for _ in range(n):
            logits, state = model(idx, state)
            nxt = torch.multinomial(logits[-1].softmax(-1), 1)
            out += itos[nxt.item()]
            idx = nxt.view(1, 1)
    model.train()
    return out


ids = batchify(data, batch_size)
num_batches = ids.size(1) // seq_len
model = CharRNN(len(chars), hidden_size, num_layers)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.002)

for epoch in range(num_epochs):
    hidden = model.init_hidden(batch_size)
    total = 0.0
    for i in range(0, ids.size(1) - seq_len, seq_len):
        inputs = ids[:, i:i + seq_len]
        targets = ids[:, i + 1:i + 1 + seq_len]

        optimizer.zero_grad()
        outputs, hidden = model(inputs, hidden)  # <- culprit
        loss = criterion(outputs, targets.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch + 1}/{num_epochs} loss {total / num_batches:.3f}")
    print(sample(model))
