# gradwatch-corpus: kind=none
"""Captioning with scheduled sampling over per-layer key/value caches."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(26)


class CachedAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d) for _ in range(3))
        self.keys, self.values = [], []

    def forward(self, x):
        self.keys.append(self.k(x))
        self.values.append(self.v(x))
        k, v = torch.stack(self.keys, 1), torch.stack(self.values, 1)
        w = (k @ self.q(x).unsqueeze(-1)).squeeze(-1).mul(k.size(-1) ** -0.5).softmax(-1)
        return x + (w.unsqueeze(1) @ v).squeeze(1)

    def forget(self):
        del self.keys[:], self.values[:]


class Captioner(nn.Module):
    def __init__(self, vocab=12, d=16, layers=2):
        super().__init__()
        self.see = nn.Linear(10, d)
        self.word = nn.Embedding(vocab, d)
        self.att = nn.ModuleList(CachedAttention(d) for _ in range(layers))
        self.say = nn.Linear(d, vocab)

    def prime(self, image):
        self._run(torch.tanh(self.see(image)))

    def _run(self, x):
        for a in self.att:
            x = a(x)
        return x

    def next(self, token):
        return self.say(self._run(self.word(token)))

    def reset(self):
        for a in self.att:
            a.forget()


def pictures(n=8):
    kind = torch.randint(0, 4, (n,))
    image = F.one_hot(kind, 10).float() + 0.1 * torch.randn(n, 10)
    words = (2 + kind[:, None] + torch.tensor([0, 2, 1, 4, 3])) % 12
    return image, words


model = Captioner()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for step in range(450):
    image, words = pictures()
    model.prime(image)
    token, loss = torch.zeros(len(image), dtype=torch.long), 0
    for t in range(words.size(1)):
        logits = model.next(token)
        loss = loss + F.cross_entropy(logits, words[:, t])
        own = torch.rand(len(image)) < step / 900
        token = torch.where(own, logits.argmax(-1), words[:, t])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 90 == 0:
        print(step, round(loss.item() / 5, 3), "cached", len(model.att[0].keys))
    model.reset()
