# gradwatch-corpus: kind=graph-held
# holder: self._scores | crf._scores | model.crf._scores | self.crf._scores
# first-bad: 1
import torch
import torch.nn as nn

TAGS = ["O", "B", "I"]
VOCAB = 30


def toy_sentences(n, seed=0):
    """A word >= 24 opens an entity; words 18-23 after it continue it."""
    g = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(n):
        words = torch.randint(VOCAB, (7,), generator=g)
        tags, inside = [], False
        for w in words.tolist():
            if w >= 24:
                tags.append(1)
                inside = True
            elif w >= 18 and inside:
                tags.append(2)
            else:
                tags.append(0)
                inside = False
        out.append((words, torch.tensor(tags)))
    return out


class CRF(nn.Module):
    def __init__(self, n_tags):
        super().__init__()
        self.transitions = nn.Parameter(torch.randn(n_tags, n_tags) * 0.1)
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.end = nn.Parameter(torch.zeros(n_tags))
        self._scores = {}

    def log_partition(self, emissions):
        alpha = self.start + emissions[0]
        for e in emissions[1:]:
            alpha = torch.logsumexp(alpha.unsqueeze(1) + self.transitions, 0) + e
        return torch.logsumexp(alpha + self.end, 0)

    def gold_score(self, emissions, tags):
        s = self.start[tags[0]] + self.end[tags[-1]]
        s = s + emissions.gather(1, tags.unsqueeze(1)).sum()
        return s + self.transitions[tags[:-1], tags[1:]].sum()

    def neg_log_likelihood(self, emissions, tags, key):
        log_z = self.log_partition(emissions)
        gold = self.gold_score(emissions, tags)
        self._scores[key] = gold - log_z  # <- culprit
        return log_z - gold

    def hardest(self, k):
        return sorted(self._scores, key=lambda key: float(self._scores[key]))[:k]

    @torch.no_grad()
    def viterbi(self, emissions):
        score, back = self.start + emissions[0], []
        for e in emissions[1:]:
            best, arg = (score.unsqueeze(1) + self.transitions).max(0)
            score = best + e
            back.append(arg)
        tag = int((score + self.end).argmax())
        path = [tag]
        for arg in reversed(back):
            path.append(int(arg[path[-1]]))
        return path[::-1]


class Tagger(nn.Module):
    def __init__(self, dim=12, hidden=16):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.lstm = nn.LSTM(dim, hidden // 2, bidirectional=True)
        self.hidden2tag = nn.Linear(hidden, len(TAGS))
        self.crf = CRF(len(TAGS))

    def emissions(self, words):
        h, _ = self.lstm(self.emb(words).unsqueeze(1))
        return self.hidden2tag(h.squeeze(1))

    def loss(self, words, tags, key):
        return self.crf.neg_log_likelihood(self.emissions(words), tags, key)


def evaluate(model, data):
    hits = total = 0
    with torch.no_grad():
        for words, tags in data:
            path = model.crf.viterbi(model.emissions(words))
            hits += sum(a == b for a, b in zip(path, tags.tolist()))
            total += len(path)
    return hits / total


if __name__ == "__main__":
    torch.manual_seed(1)
    train, dev = toy_sentences(600, 5), toy_sentences(40, 6)
    model = Tagger()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, weight_decay=1e-4)
    for i, (words, tags) in enumerate(train):
        model.zero_grad()
        nll = model.loss(words, tags, key=i)
        nll.backward()
        optimizer.step()
        if i % 150 == 149:
            print(f"sent {i + 1} nll {nll.item():.3f} dev acc {evaluate(model, dev):.3f}")
    print("hardest:", model.crf.hardest(5))
