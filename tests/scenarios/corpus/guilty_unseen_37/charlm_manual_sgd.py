# gradwatch-corpus: kind=graph-chain
# holder: hidden | h | c
# first-bad: 1
import random
import string
import time

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1)
random.seed(1)

all_characters = string.ascii_lowercase + " .,;'\n"
n_characters = len(all_characters)

words = ["the", "cat", "sat", "on", "a", "mat", "and", "then", "it", "ran", "away", "from", "big", "dogs"]
text = " ".join(random.choice(words) for _ in range(3000))

chunk_len = 12
hidden_size = 24
lr = 0.05
n_chunks = 62


def char_tensor(s):
    t = torch.zeros(len(s), dtype=torch.long)
    for i, ch in enumerate(s):
        t[i] = all_characters.index(ch)
    return t


class CharRNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.n_hidden = n_hidden
        self.encoder = nn.Embedding(n_in, n_hidden)
        self.cell = nn.LSTMCell(n_hidden, n_hidden)
        self.decoder = nn.Linear(n_hidden, n_out)

    def forward(self, ch, hidden):
        e = self.encoder(ch.view(1))
        h, c = self.cell(e, hidden)
        return self.decoder(h), (h, c)

    def init_hidden(self):
        return torch.zeros(1, self.n_hidden), torch.zeros(1, self.n_hidden)


model = CharRNN(n_characters, hidden_size, n_characters)
criterion = nn.CrossEntropyLoss()
hidden = model.init_hidden()

losses = []
start = time.time()
for i in range(n_chunks):
    piece = text[i * chunk_len:(i + 1) * chunk_len + 1]
    inp = char_tensor(piece[:-1])
    target = char_tensor(piece[1:])

    model.zero_grad()
    loss = 0
    for t in range(chunk_len):
        output, hidden = model(inp[t], hidden)  # <- culprit
        loss = loss + criterion(output, target[t].view(1))
    loss = loss / chunk_len
    # was crashing here without the flag
    loss.backward(retain_graph=True)  # <- culprit

    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for p in model.parameters():
        p.data.add_(p.grad.data, alpha=-lr)

    losses.append(loss.item())
    if i % 10 == 0:
        print("chunk %3d  loss %.4f  %.1fs" % (i, sum(losses[-10:]) / len(losses[-10:]), time.time() - start))

print("final", losses[-1])
