# gradwatch-corpus: kind=graph-held
# holder: self.open_reports | desk.open_reports
"""Sequence tagger. Each step has a report that is finished once its later score is known."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)


def step_report(step, scores, gold):
    """First value: training accuracy. Later, sent the running level: a line of text."""
    guess = scores.argmax(-1)
    accuracy = (guess == gold).float().mean().item()
    level = yield accuracy
    gap = accuracy - level
    yield f"step {step}: accuracy {accuracy:.3f} ({gap:+.3f} to its level)"


class ReportDesk:
    def __init__(self):
        self.open_reports = []
        self.level = 0.0

    def begin(self, step, scores, gold):
        report = step_report(step, scores, gold)  # <- culprit
        accuracy = next(report)
        self.level = 0.9 * self.level + 0.1 * accuracy
        self.open_reports.append(report)  # <- culprit
        return accuracy

    def finish(self):
        return [report.send(self.level) for report in self.open_reports]


class Tagger(nn.Module):
    def __init__(self, vocab=50, tags=6, width=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.out = nn.Linear(width, tags)

    def forward(self, words):
        h = self.emb(words).transpose(1, 2)
        h = torch.relu(self.conv(h)) + h
        return self.out(h.transpose(1, 2))


class Corpus:
    def __init__(self, vocab=50, tags=6):
        self.gen = torch.Generator().manual_seed(12)
        self.rule = torch.randint(0, tags, (vocab,), generator=self.gen)
        self.vocab, self.tags = vocab, tags

    def __iter__(self):
        while True:
            words = torch.randint(0, self.vocab, (16, 20), generator=self.gen)
            gold = (self.rule[words] + (words.roll(1, 1) % 2)) % self.tags
            yield words, gold


def fit(steps=110):
    net = Tagger()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    desk = ReportDesk()
    for step, (words, gold) in zip(range(steps), Corpus()):
        scores = net(words)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        accuracy = desk.begin(step, scores, gold)  # <- culprit
        if step % 25 == 0:
            print(f"{step:4d} loss {loss.item():.3f} accuracy {accuracy:.3f}")
    return desk.finish()


if __name__ == "__main__":
    for line in fit()[-3:]:
        print(line)
