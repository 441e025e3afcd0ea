# gradwatch-corpus: kind=second-backward
# holder: state
# first-bad: 6
"""Next-token model on documents of differing length, read in chunks."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

VOCAB = 40
CHUNK = 16


def make_documents(lengths, seed=0):
    g = torch.Generator().manual_seed(seed)
    docs = []
    for n in lengths:
        start = torch.randint(0, VOCAB, (1,), generator=g).item()
        stride = torch.randint(1, 4, (1,), generator=g).item()
        docs.append((start + stride * torch.arange(n + 1)) % VOCAB)
    return docs


def chunks(doc):
    for lo in range(0, len(doc) - 1, CHUNK):
        hi = min(lo + CHUNK, len(doc) - 1)
        yield doc[lo:hi], doc[lo + 1:hi + 1]


class TokenGRU(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.dim = dim
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, tokens, state):
        y, state = self.rnn(self.emb(tokens).unsqueeze(1), state)
        return self.out(y.squeeze(1)), state

    def zero_state(self):
        return torch.zeros(1, 1, self.dim)


def train_document(model, opt, doc):
    state = model.zero_state()
    total, count = 0.0, 0
    for src, tgt in chunks(doc):
        logits, state = model(src, state)  # <- culprit
        loss = F.cross_entropy(logits, tgt)
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        total += loss.item() * len(src)
        count += len(src)
    return total / count


def main():
    torch.manual_seed(0)
    # short notes come first in the collection, articles after
    lengths = [9, 12, 16, 7, 14, 40, 13, 55, 30, 100, 16, 72]
    model = TokenGRU(VOCAB, 32)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    docs = make_documents(lengths)
    for epoch in range(5):
        for i, doc in enumerate(docs):
            ppl = torch.tensor(train_document(model, opt, doc)).exp().item()
            print(f"epoch {epoch} doc {i:2d} ({len(doc) - 1:3d} tokens) ppl {ppl:.2f}")


if __name__ == "__main__":
    main()
