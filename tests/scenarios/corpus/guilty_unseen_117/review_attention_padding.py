# gradwatch-corpus: kind=inplace-modified
# holder: alpha | att
# first-bad: 23
# notice: 0

# sentiment of restaurant reviews with self attention pooling.
# worked fine on my first 2 files, then with the phone-app reviews it crashes?
import random
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(6)
torch.manual_seed(6)

good = 'tasty great friendly cheap fresh lovely amazing crispy'.split()
bad = 'cold rude dirty slow bland greasy awful burnt'.split()
filler = 'the food was and we had very with a staff pizza soup table waiter evening place'.split()
itos = ['<pad>'] + good + bad + filler
stoi = {w: i for i, w in enumerate(itos)}
MAXLEN = 12


def make_review(full=True):
    lab = random.random() < 0.5
    n = MAXLEN if full else random.randint(5, MAXLEN)
    words = [random.choice(filler) for _ in range(n)]
    for _ in range(3):
        words[random.randrange(n)] = random.choice(good if lab else bad)
    return words, int(lab)


# the paper reviews are all cut to 12 words, the app ones are short
website = [make_review(True) for _ in range(23 * 16)]
app = [make_review(False) for _ in range(20 * 16)]
reviews = website + app


def collate(items):
    ids = torch.zeros(len(items), MAXLEN, dtype=torch.long)
    for i, (w, _) in enumerate(items):
        for j, t in enumerate(w):
            ids[i, j] = stoi[t]
    return ids, torch.tensor([l for _, l in items]).float()


class AttnPool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.proj = nn.Linear(d, d)
        self.v = nn.Linear(d, 1, bias=False)

    def forward(self, h, pad):
        e = self.v(torch.tanh(self.proj(h))).squeeze(-1)
        alpha = F.softmax(e, dim=-1)
        if pad.any():
            alpha[pad] = 0.  # <- culprit
        return (h * alpha.unsqueeze(-1)).sum(1), alpha


class SentimentNet(nn.Module):
    def __init__(self, vocab, d=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, d, padding_idx=0)
        self.rnn = nn.GRU(d, d // 2, bidirectional=True, batch_first=True)
        self.pool = AttnPool(d)
        self.cls = nn.Linear(d, 1)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        ctx, att = self.pool(h, ids == 0)
        return self.cls(ctx).squeeze(-1), att


net = SentimentNet(len(itos))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
bce = nn.BCEWithLogitsLoss()

for ep in range(3):
    acc = []
    for k in range(0, len(reviews), 16):
        ids, lab = collate(reviews[k:k + 16])
        out, att = net(ids)
        loss = bce(out, lab)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc.append(((out > 0).float() == lab).float().mean().item())
        if (k // 16) % 10 == 0:
            print('ep', ep, 'batch', k // 16, 'loss %.3f' % loss.item(), 'acc %.2f' % acc[-1],
                  'most attended:', itos[ids[0, att[0].argmax()].item()])
    print('epoch acc', sum(acc) / len(acc))
