# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
torch.set_num_threads(1)

TEXT = "a rose is a rose is a rose and so on and so on until the page is full of roses. " * 60


class StatefulLstm(nn.Module):
    def __init__(self, n_tok, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(n_tok, 16)
        self.lstm = nn.LSTM(16, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_tok)
        self.state = None

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def forward(self, x):
        y, self.state = self.lstm(self.emb(x), self.state)
        return self.out(y)


def batchify(ids, batch):
    n = len(ids) // batch
    return ids[: n * batch].view(batch, n)


def chunks(data, seq):
    for i in range(0, data.size(1) - seq - 1, seq):
        yield data[:, i:i + seq], data[:, i + 1:i + seq + 1]


def main():
    vocab = sorted(set(TEXT))
    ids = torch.tensor([vocab.index(c) for c in TEXT])
    data = batchify(ids, 8)
    model = StatefulLstm(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    history = []
    for epoch in range(3):
        model.state = None
        total, count = torch.zeros(()), 0
        for x, y in chunks(data, 16):
            model.cut()
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.detach()
            count += 1
        history.append((total / count).exp().item())
        print(f"epoch {epoch} perplexity {history[-1]:.2f} after {count} chunks")


if __name__ == "__main__":
    main()
