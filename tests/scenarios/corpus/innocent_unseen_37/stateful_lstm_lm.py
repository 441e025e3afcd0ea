# gradwatch-corpus: kind=none
import math
import time

import torch
import torch.nn as nn

torch.set_num_threads(1)

bptt, batch_size, emsize, nhid, nlayers = 12, 8, 24, 32, 2
log_interval = 20
ntokens = 30


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(ntokens, emsize)
        self.rnn = nn.LSTM(emsize, nhid, nlayers, dropout=0.1)
        self.decoder = nn.Linear(nhid, ntokens)

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.encoder(input), hidden)
        return self.decoder(output).view(-1, ntokens), hidden, output

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(nlayers, bsz, nhid), weight.new_zeros(nlayers, bsz, nhid)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


def evaluate(model, source, criterion):
    model.eval()
    total = 0.0
    hidden = model.init_hidden(batch_size)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, bptt):
            data, targets = get_batch(source, i)
            out, hidden, _ = model(data, hidden)
            total += len(data) * criterion(out, targets).item()
    model.train()
    return total / (len(source) - 1)


def main():
    torch.manual_seed(1111)
    steps = torch.randint(1, 4, (6400,))
    corpus = steps.cumsum(0) % ntokens
    train_data, val_data = batchify(corpus[:5600], batch_size), batchify(corpus[5600:], batch_size)
    model, criterion = RNNModel(), nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    best_val_loss = None
    for epoch in range(1, 3):
        total_loss, start = 0.0, time.time()
        hidden = model.init_hidden(batch_size)
        states = []
        for b, i in enumerate(range(0, train_data.size(0) - 1, bptt)):
            data, targets = get_batch(train_data, i)
            hidden = repackage_hidden(hidden)
            opt.zero_grad()
            output, hidden, raw = model(data, hidden)
            # activation regularisation
            loss = criterion(output, targets) + 0.01 * raw.pow(2).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            opt.step()
            total_loss += loss.data
            states.append(hidden[0].detach().norm())
            if b % log_interval == 0 and b > 0:
                cur = total_loss.item() / log_interval
                print(f"| epoch {epoch} | {b:3d} batches | {1000 * (time.time() - start) / log_interval:.1f} ms | "
                      f"loss {cur:.2f} | ppl {math.exp(cur):.2f} | norm {torch.stack(states).mean():.2f}")
                total_loss, start = 0.0, time.time()
        val_loss = evaluate(model, val_data, criterion)
        if best_val_loss is None or val_loss < best_val_loss:
            best_val_loss = val_loss
        print(f"end of epoch {epoch} valid ppl {math.exp(val_loss):.2f}")


if __name__ == "__main__":
    main()
