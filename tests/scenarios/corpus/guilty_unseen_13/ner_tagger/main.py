# gradwatch-corpus: kind=graph-held
# holder: self.findings | audit.findings | self.audit.findings | tagger.audit.findings | exc | exc.__traceback__
# first-bad: 47
# notice: 22
"""Entity tagger for support tickets; batches that look suspicious are set aside for the annotators."""
import torch
import torch.nn.functional as F
from torch import nn

from audit import BatchAudit, SuspiciousBatch
from corpus import PAD, TAGS, TicketCorpus


class TicketTagger(nn.Module):
    def __init__(self, vocab, dim=32, hidden=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.conv = nn.Conv1d(dim, hidden * 2, 3, padding=1)
        self.rnn = nn.GRU(hidden * 2, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(hidden * 2, len(TAGS))

    def forward(self, tokens):
        x = self.emb(tokens).transpose(1, 2)
        x = F.relu(self.conv(x)).transpose(1, 2)
        return self.out(self.rnn(x)[0])


class TaggerTrainer:
    def __init__(self, corpus, lr=4e-3):
        self.corpus = corpus
        self.model = TicketTagger(corpus.vocab)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.audit = BatchAudit(tolerance=1.15, warmup=12)

    def loss(self, tokens, tags):
        logits = self.model(tokens)
        return F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-100)

    def train_batch(self, tokens, tags, number):
        loss = self.loss(tokens, tags)
        try:
            self.audit.check(number, loss.item())
        except SuspiciousBatch as exc:
            self.audit.keep(exc)  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, batches=4):
        self.model.eval()
        hit = total = 0
        for tokens, tags in self.corpus.held_out(batches):
            guess = self.model(tokens).argmax(-1)
            mask = tags != -100
            hit += (guess[mask] == tags[mask]).sum().item()
            total += mask.sum().item()
        self.model.train()
        return hit / total


def main():
    torch.manual_seed(31)
    tagger = TaggerTrainer(TicketCorpus())
    for number, (tokens, tags) in enumerate(tagger.corpus.batches(300)):
        value = tagger.train_batch(tokens, tags, number)
        if (number + 1) % 75 == 0:
            print(f"batch {number + 1}: loss {value:.3f}  held-out accuracy {tagger.accuracy():.3f}")
    print(tagger.audit.report())


if __name__ == "__main__":
    main()
