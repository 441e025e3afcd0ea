# gradwatch-corpus: kind=second-backward
# first-bad: 1
import math

import torch
import torch.nn as nn

TEXT = ("it was the best of times, it was the worst of times, it was the age of wisdom, "
        "it was the age of foolishness, it was the epoch of belief, ") * 60


class Corpus:
    def __init__(self, text, streams, bptt):
        self.vocab = sorted(set(text))
        index = {c: i for i, c in enumerate(self.vocab)}
        ids = torch.tensor([index[c] for c in text])
        n = len(ids) // streams
        self.data = ids[:n * streams].view(streams, n).t().contiguous()
        self.bptt = bptt

    def __len__(self):
        return (len(self.data) - 1) // self.bptt

    def __iter__(self):
        for i in range(0, len(self.data) - 1 - self.bptt, self.bptt):
            yield self.data[i:i + self.bptt], self.data[i + 1:i + 1 + self.bptt]


class CharLSTM(nn.Module):
    def __init__(self, vocab, emb=24, hidden=48):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(vocab, emb)
        self.cell = nn.LSTMCell(emb, hidden)
        self.proj = nn.Linear(hidden, vocab)

    def init_state(self, batch):
        return torch.zeros(batch, self.hidden), torch.zeros(batch, self.hidden)

    def forward(self, tokens, state):
        h, c = state
        outs = []
        for x in self.emb(tokens):
            h, c = self.cell(x, (h, c))
            outs.append(self.proj(h))
        return torch.stack(outs), (h, c)


def cut_state(state):
    h, c = state
    return h.detach(), c.clone()  # <- culprit


def run_epoch(model, corpus, opt, streams):
    criterion = nn.CrossEntropyLoss()
    state = model.init_state(streams)
    total, batches = 0.0, 0
    for x, y in corpus:
        state = cut_state(state)
        logits, state = model(x, state)
        loss = criterion(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.item()
        batches += 1
    return total / batches


def main():
    torch.manual_seed(1859)
    streams = 8
    corpus = Corpus(TEXT, streams, bptt=12)
    model = CharLSTM(len(corpus.vocab))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(5):
        ppl = math.exp(run_epoch(model, corpus, opt, streams))
        print(f"epoch {epoch} perplexity {ppl:.2f}")


if __name__ == "__main__":
    main()
