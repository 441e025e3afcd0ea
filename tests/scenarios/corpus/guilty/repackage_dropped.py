# gradwatch-corpus: kind=second-backward
# holder: hidden | hidden[0]
# first-bad: 1
# about: repackage_hidden is called, but what it returns is thrown away
import torch
from torch import nn


def repackage_hidden(h):
    """Wraps hidden states in new tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken=40, ninp=16, nhid=16, nlayers=2):
        super().__init__()
        self.nhid, self.nlayers = nhid, nlayers
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=0.2)
        self.decoder = nn.Linear(nhid, ntoken)

    def forward(self, tokens, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(tokens)), hidden)
        return self.decoder(self.drop(output)), hidden

    def init_hidden(self, bsz):
        shape = (self.nlayers, bsz, self.nhid)
        return torch.zeros(shape), torch.zeros(shape)


def get_batch(source, i, bptt=10):
    length = min(bptt, len(source) - 1 - i)
    return source[i : i + length], source[i + 1 : i + 1 + length].reshape(-1)


def train(model, source, optimizer):
    criterion = nn.CrossEntropyLoss()
    hidden = model.init_hidden(source.shape[1])
    for i in range(0, len(source) - 1, 10):
        data, targets = get_batch(source, i)
        optimizer.zero_grad()
        repackage_hidden(hidden)  # <- culprit
        output, hidden = model(data, hidden)  # <- culprit
        loss = criterion(output.flatten(0, 1), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = RNNModel()
    train(model, torch.randint(0, 40, (601, 4)), torch.optim.SGD(model.parameters(), lr=1.0))
