# gradwatch-corpus: kind=graph-chain
# holder: hidden | past | past[-1]
# first-bad: 1
#!/usr/bin/env python
# coding: utf-8

# # Lyrics generator with attention over the previous states

# In[1]:

import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
random.seed(1)


# In[2]:

words = ["la", "love", "you", "me", "tonight", "baby", "oh", "fire", "rain", "dance", "heart", "road"]
text = " ".join(random.choice(words) for _ in range(4000))
all_chars = sorted(set(text))
n_chars = len(all_chars)
char2idx = {c: i for i, c in enumerate(all_chars)}
encoded = torch.tensor([char2idx[c] for c in text])
print("%d characters, %d unique" % (len(text), n_chars))


# In[3]:

hidden_size = 96
seq_len = 5
batch_size = 24
lr = 0.05
n_iters = 110
print_every = 20
n_past = 6


# In[4]:

class AttnRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(AttnRNN, self).__init__()
        self.hidden_size = hidden_size
        self.embed = nn.Embedding(input_size, hidden_size)
        self.i2h = nn.Linear(hidden_size * 2, hidden_size)
        self.query = nn.Linear(hidden_size, hidden_size)
        self.i2o = nn.Linear(hidden_size * 2, output_size)

    def forward(self, input, hidden, past):
        emb = self.embed(input)
        hidden = torch.tanh(self.i2h(torch.cat((emb, hidden), 1)))
        if len(past) == 0:
            context = torch.zeros_like(hidden)
        else:
            bank = torch.stack(past, dim=1)
            score = torch.bmm(bank, self.query(hidden).unsqueeze(2)).squeeze(2)
            attn = F.softmax(score / math.sqrt(self.hidden_size), dim=1)
            context = torch.bmm(attn.unsqueeze(1), bank).squeeze(1)
        output = self.i2o(torch.cat((hidden, context), 1))
        return output, hidden

    def initHidden(self):
        return torch.zeros(batch_size, self.hidden_size)


# In[5]:

rnn = AttnRNN(n_chars, hidden_size, n_chars)
criterion = nn.CrossEntropyLoss()

stream = encoded[: (len(encoded) // batch_size) * batch_size].view(batch_size, -1)


def get_chunk(i):
    start = (i * seq_len) % (stream.size(1) - seq_len - 1)
    return stream[:, start:start + seq_len], stream[:, start + 1:start + seq_len + 1]


# In[6]:

hidden = rnn.initHidden()
past = []
current_loss = 0
all_losses = []
start = time.time()

for it in range(n_iters):
    x, y = get_chunk(it)
    rnn.zero_grad()
    loss = 0
    for t in range(seq_len):
        output, hidden = rnn(x[:, t], hidden, past)  # <- culprit
        loss = loss + criterion(output, y[:, t])
    past.append(hidden)  # <- culprit
    past = past[-n_past:]

    loss.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(rnn.parameters(), 5.0)

    # Add parameters' gradients to their values, multiplied by learning rate
    for p in rnn.parameters():
        if p.grad is not None:
            p.data.add_(p.grad.data, alpha=-lr)

    current_loss += loss.item() / seq_len
    if (it + 1) % print_every == 0:
        all_losses.append(current_loss / print_every)
        print("%d %d%% (%.1fs) %.4f" % (it + 1, (it + 1) / n_iters * 100, time.time() - start, all_losses[-1]))
        current_loss = 0


# In[7]:

with torch.no_grad():
    h = hidden[:1]
    c = encoded[:1]
    out = ""
    for _ in range(60):
        logits, h = rnn(c, h, [p[:1] for p in past])
        c = torch.multinomial(F.softmax(logits, 1), 1).view(1)
        out += all_chars[c.item()]
print(out)
