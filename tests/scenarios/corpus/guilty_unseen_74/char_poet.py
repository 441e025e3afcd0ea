# gradwatch-corpus: kind=second-backward
# holder: hidden | hidden[0] | hidden[1] | h
# first-bad: 1
# notice: 0
# A character level text generator
import torch
import torch.nn as nn

torch.manual_seed(9)
torch.set_num_threads(1)

text = """the cat sat on the mat and the dog sat on the log
the rain in the lane fell on the hen in the pen
a bird in the hand is worth two in the bush and a fish in the dish
""" * 12

chars = sorted(set(text))
to_ix = {c: i for i, c in enumerate(chars)}
to_char = {i: c for i, c in enumerate(chars)}
data = torch.tensor([to_ix[c] for c in text])
print("characters:", len(data), "different:", len(chars))

seq_len = 25
batch = 4
hidden_size = 32
epochs = 5

# cut the text into four long rows
per_row = (len(data) - 1) // batch
inputs = data[:per_row * batch].view(batch, per_row)
targets = data[1:per_row * batch + 1].view(batch, per_row)

embed = nn.Embedding(len(chars), 12)
lstm = nn.LSTM(12, hidden_size, batch_first=True)
to_logits = nn.Linear(hidden_size, len(chars))
params = list(embed.parameters()) + list(lstm.parameters()) + list(to_logits.parameters())
optimizer = torch.optim.Adam(params, lr=0.01)
criterion = nn.CrossEntropyLoss()


def start_hidden(n):
    return torch.zeros(1, n, hidden_size), torch.zeros(1, n, hidden_size)


def repackage(hidden):
    for h in hidden:
        h.detach()  # <- culprit
    return hidden


def sample(first, length):
    state = start_hidden(1)
    ix = to_ix[first]
    result = first
    with torch.no_grad():
        for _ in range(length):
            out, state = lstm(embed(torch.tensor([[ix]])), state)
            p = torch.softmax(to_logits(out)[0, 0], dim=0)
            ix = int(torch.multinomial(p, 1))
            result += to_char[ix]
    return result


history = []
for epoch in range(epochs):
    hidden = start_hidden(batch)
    for pos in range(0, per_row - seq_len, seq_len):
        x = inputs[:, pos:pos + seq_len]
        y = targets[:, pos:pos + seq_len]
        hidden = repackage(hidden)  # <- culprit
        optimizer.zero_grad()
        out, hidden = lstm(embed(x), hidden)  # <- culprit
        logits = to_logits(out)
        loss = criterion(logits.reshape(-1, len(chars)), y.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(params, 5.0)
        optimizer.step()
        history.append(loss.item())
    print("epoch", epoch, "loss", sum(history[-10:]) / 10)
    print(sample("t", 60))
