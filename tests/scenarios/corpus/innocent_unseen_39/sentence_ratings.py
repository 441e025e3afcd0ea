# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.optim as optim

random.seed(0)
torch.manual_seed(0)

WORDS = ["bad", "awful", "boring", "ok", "fine", "good", "great", "superb", "not", "very", "film", "plot", "actor"]
SCORE = dict(bad=-1, awful=-2, boring=-1, ok=0, fine=0.5, good=1, great=2, superb=2.5)
ix = {w: i for i, w in enumerate(WORDS)}


def random_sentence():
    n = random.randint(2, 11)
    sent = [random.choice(WORDS) for _ in range(n)]
    score, sign, gain = 0.0, 1, 1
    for w in sent:
        if w == "not":
            sign = -sign
        elif w == "very":
            gain = 1.5
        elif w in SCORE:
            score += sign * gain * SCORE[w]
            sign, gain = 1, 1
    return sent, score


class RatingRNN(nn.Module):
    def __init__(self, vocab, emb=12, hid=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.cell = nn.GRUCell(emb, hid)
        self.out = nn.Linear(hid, 1)
        self.hid = hid

    def init_hidden(self):
        return torch.zeros(1, self.hid)

    def forward(self, words, hidden):
        states = []
        for w in words:
            hidden = self.cell(self.emb(torch.tensor([ix[w]])), hidden)
            states.append(hidden)
        return self.out(torch.cat(states).mean(0)).squeeze(), hidden


model = RatingRNN(len(WORDS))
optimizer = optim.Adam(model.parameters(), lr=0.01)
criterion = nn.MSELoss()


def train(batch):
    optimizer.zero_grad()
    total_loss = 0
    losses = []
    for sent, score in batch:
        hidden = model.init_hidden()
        pred, hidden = model(sent, hidden)
        loss = criterion(pred, torch.tensor(score))
        losses.append(loss)
        total_loss += loss
    worst = torch.stack(losses).max()
    total_loss = total_loss / len(batch) + 0.05 * worst
    total_loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return total_loss.item(), [l.item() for l in losses]


def test(n=60):
    err = 0
    with torch.no_grad():
        for _ in range(n):
            sent, score = random_sentence()
            pred, _ = model(sent, model.init_hidden())
            err += abs(pred - score)
    return (err / n).item()


all_losses = []
hardest = 0.0
for step in range(1, 81):
    batch = [random_sentence() for _ in range(random.randint(3, 12))]
    loss, each = train(batch)
    all_losses.append(loss)
    hardest = max(hardest, max(each))
    if step % 20 == 0:
        print("step %d  loss %.3f  hardest so far %.2f  test error %.3f" % (
            step, sum(all_losses[-20:]) / 20, hardest, test()))
