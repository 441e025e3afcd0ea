# gradwatch-corpus: kind=graph-held
# holder: all_scores
# first-bad: 1
# notice: 8
"""MA thesis, appendix C: which of four dialects is a word list from?"""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1871)

LETTERS = 20
DIALECTS = ["north", "coast", "valley", "city"]
shift = torch.softmax(torch.randn(len(DIALECTS), LETTERS) * 1.2, 1)


def draw_words(n, length=9):
    who = torch.randint(0, len(DIALECTS), (n,))
    return torch.multinomial(shift[who], length, replacement=True), who


class CharBag(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(LETTERS, 12, mode="mean")
        self.classify = nn.Sequential(nn.LayerNorm(12), nn.Linear(12, len(DIALECTS)))

    def forward(self, words):
        return self.classify(self.table(words))


def confusion(scores, gold):
    m = torch.zeros(len(DIALECTS), len(DIALECTS), dtype=torch.long)
    for s, g in zip(torch.cat(scores).argmax(1), torch.cat(gold)):
        m[g, s] += 1
    return m


def train(model, rounds):
    opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
    ce = nn.CrossEntropyLoss()
    all_scores, all_gold = [], []
    for r in range(rounds):
        words, gold = draw_words(12)
        scores = model(words)
        loss = ce(scores, gold)
        opt.zero_grad()
        loss.backward()
        opt.step()
        all_scores.append(scores)  # <- culprit
        all_gold.append(gold)
    return confusion(all_scores, all_gold)


table = train(CharBag(), 500)
print("         " + "  ".join(f"{d:>6s}" for d in DIALECTS))
for d, row in zip(DIALECTS, table.tolist()):
    print(f"{d:>8s} " + "  ".join(f"{v:6d}" for v in row))
