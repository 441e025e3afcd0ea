# gradwatch-corpus: kind=none
# about: a language model that carries its hidden state from batch to batch, repackaged
# about: (detached) at each batch, as in the word language model example
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class RNNModel(nn.Module):
    def __init__(self, ntoken=40, ninp=16, nhid=32, nlayers=2):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=0.1)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers, self.ntoken = nhid, nlayers, ntoken

    def forward(self, text, hidden):
        out, hidden = self.rnn(self.encoder(text), hidden)
        return self.decoder(out).view(-1, self.ntoken), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return tuple(weight.new_zeros(self.nlayers, bsz, self.nhid) for _ in range(2))


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i : i + n], source[i + 1 : i + 1 + n].reshape(-1)


def train():
    torch.manual_seed(1111)
    text = torch.randint(1, 4, (1201, 8)).cumsum(0) % 40
    model = RNNModel()
    criterion = nn.CrossEntropyLoss()
    lr, step = 2.0, 0
    while step < ITERATIONS:
        hidden = model.init_hidden(8)
        total_loss = 0.0
        for i in range(0, len(text) - 1, 16):
            data, targets = get_batch(text, i, 16)
            model.zero_grad()
            hidden = repackage_hidden(hidden)
            output, hidden = model(data, hidden)
            loss = criterion(output, targets)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            for p in model.parameters():
                p.data.add_(p.grad, alpha=-lr)
            total_loss += loss.item()
            step += 1
        print(f"step {step}: {total_loss / 75:.6f}")
        lr *= 0.9


if __name__ == "__main__":
    train()
