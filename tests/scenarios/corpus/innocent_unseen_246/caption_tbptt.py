# gradwatch-corpus: kind=none
import itertools

import torch
from torch import nn
import torch.nn.functional as F


class StatefulTagger(nn.Module):
    """Punctuation restorer for live captions, state lives in the module."""

    def __init__(self, vocab, dim, marks):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.core = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, marks)
        self.state = None

    def forget(self):
        self.state = None

    def cut(self):
        if self.state is not None:
            self.state = tuple(part.detach() for part in self.state)

    def forward(self, tokens):
        seq, self.state = self.core(self.embed(tokens), self.state)
        return self.out(seq)


class TalkSource:
    def __init__(self, vocab, marks, speakers, seed):
        self.vocab = vocab
        self.marks = marks
        self.speakers = speakers
        self.gen = torch.Generator().manual_seed(seed)

    def talk(self, segments, width):
        counter = torch.zeros(self.speakers, 1, dtype=torch.long)
        for _ in range(segments):
            shape = (self.speakers, width)
            tokens = torch.randint(0, self.vocab, shape, generator=self.gen)
            running = counter + (tokens % 3 == 0).long().cumsum(dim=1)
            counter = running[:, -1:]
            yield tokens, running % self.marks


class TruncatedTrainer:
    def __init__(self, tagger, window, lr):
        self.tagger = tagger
        self.window = window
        self.optimizer = torch.optim.Adam(tagger.parameters(), lr=lr)
        self.updates = 0
        self.last = 0.0

    def windows(self, segments):
        while True:
            group = list(itertools.islice(segments, self.window))
            if not group:
                return
            yield group

    def learn_window(self, group):
        losses = []
        for tokens, marks in group:
            logits = self.tagger(tokens)
            losses.append(F.cross_entropy(logits.flatten(0, 1), marks.flatten()))
        loss = torch.stack(losses).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.tagger.parameters(), 1.0)
        self.optimizer.step()
        self.tagger.cut()
        self.updates += 1
        self.last = loss.item()

    def train_on(self, talk):
        self.tagger.forget()
        for group in self.windows(talk):
            self.learn_window(group)


def main():
    torch.manual_seed(19)
    source = TalkSource(vocab=40, marks=4, speakers=8, seed=19)
    trainer = TruncatedTrainer(StatefulTagger(40, 32, 4), window=3, lr=4e-3)
    for talk_no in range(8):
        trainer.train_on(source.talk(segments=36, width=6))
        print(f"talk {talk_no} updates {trainer.updates} loss {trainer.last:.4f}")


if __name__ == "__main__":
    main()
