# gradwatch-corpus: kind=graph-chain
# holder: self.h | model.h
# first-bad: 1
# notice: 5

# char rnn for folk tunes in ABC notation
# UPDATE: it works now!! had to add retain_graph=True and write the optimizer myself,
#         but it becomes slower and slower each iteration?
import torch
import torch.nn as nn
import time

torch.set_num_threads(1)
torch.manual_seed(99)

tunes = """
GABc dedB|dedB dedB|c2ec B2dB|A2F2 G4|g2gf gdBd|g2f2 e2d2|c2ec B2dB|A2F2 G4
A2A2 e2e2|f2f2 e4|d2d2 c2c2|B2B2 A4|e2e2 d2d2|c2c2 B4|e2e2 d2d2|c2c2 B4
D2 EF G2 G2|AGAB c2 c2|BAGB A2 D2|EDEF G4|B2 cd e2 dB|A2 GA B2 G2|BAGB A2 D2
""".strip()
chars = sorted(set(tunes))
c2i = {c: i for i, c in enumerate(chars)}
i2c = {i: c for c, i in c2i.items()}
n_letters = len(chars)
data = torch.tensor([c2i[c] for c in tunes])


class OldSGD(torch.optim.Optimizer):
    # torch.optim.SGD gave me a strange RuntimeError so here is the one from an old course
    def __init__(self, params, lr=0.01, clip=1.0):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g['params']:
                if p.grad is None:
                    continue
                d = p.grad.data.clamp(-g['clip'], g['clip'])
                p.data.add_(d, alpha=-g['lr'])


class RNN(nn.Module):
    def __init__(self, n, hidden_size=40):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.emb = nn.Embedding(n, 16)
        self.i2h = nn.Linear(16 + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, n)
        self.h = None

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)

    def forward(self, seq):
        if self.h is None:
            self.h = self.initHidden()
        outs = []
        for ch in seq:
            comb = torch.cat((self.emb(ch.view(1)), self.h), 1)
            self.h = torch.tanh(self.i2h(comb))  # <- culprit
            outs.append(self.h2o(self.h))
        return torch.cat(outs)

    def sample(self, start='G', n=40):
        old, s, idx = self.h, start, torch.tensor(c2i[start])
        self.h = None
        with torch.no_grad():
            for _ in range(n):
                o = self(idx.view(1))
                idx = torch.multinomial(torch.softmax(o[-1] / 0.7, 0), 1)[0]
                s += i2c[idx.item()]
        self.h = old
        return s.replace('\n', ' ')


model = RNN(n_letters)
optimizer = OldSGD(model.parameters(), lr=0.05)
loss_fn = nn.CrossEntropyLoss()

seq_len = 5
pos = 0
t0 = time.time()
running = 0.0
for iteration in range(130):
    if pos + seq_len + 1 > len(data):
        pos = 0   # next pass over the tunes, hidden state just continues
    x = data[pos:pos + seq_len]
    y = data[pos + 1:pos + seq_len + 1]
    pos += seq_len

    optimizer.zero_grad()
    out = model(x)
    loss = loss_fn(out, y)
    loss.backward(retain_graph=True)  # <- culprit
    optimizer.step()

    running += loss.item()
    if (iteration + 1) % 26 == 0:
        print('%4d  loss %.3f  (%.1fs)' % (iteration + 1, running / 26, time.time() - t0))
        running = 0.0
        t0 = time.time()

print(model.sample())
