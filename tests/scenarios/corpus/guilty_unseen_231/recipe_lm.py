# gradwatch-corpus: kind=second-backward
# holder: hidden
# first-bad: 1
# Word language model on a toy cookbook (from the PyTorch word_language_model example, shortened)
import math

import torch
import torch.nn as nn

torch.manual_seed(1111)

verbs = "chop stir boil fry whisk bake".split()
things = "the onion the garlic an egg the flour some butter".split()
g = torch.Generator().manual_seed(9)
words = []
for _ in range(900):
    words.append(verbs[torch.randint(0, len(verbs), (1,), generator=g).item()])
    k = torch.randint(0, 5, (1,), generator=g).item() * 2
    words += things[k:k + 2]
    words.append("<eos>")

word2idx = {}
idx2word = []
for w in words:
    if w not in word2idx:
        word2idx[w] = len(idx2word)
        idx2word.append(w)
ids = torch.tensor([word2idx[w] for w in words])

bptt = 12
batch_size = 6
ntokens = len(idx2word)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(bptt, len(source) - 1 - i)
    data = source[i:i + seq_len]
    target = source[i + 1:i + 1 + seq_len].reshape(-1)
    return data, target


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, dropout=0.2):
        super(RNNModel, self).__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.GRU(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid
        self.nlayers = nlayers

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output))
        return decoded.view(-1, ntokens), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(self.nlayers, bsz, self.nhid)


train_data = batchify(ids, batch_size)
model = RNNModel(ntokens, 16, 32, 1)
criterion = nn.CrossEntropyLoss()
lr = 2.0

for epoch in range(1, 4):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, bptt)):
        data, targets = get_batch(train_data, i)
        model.zero_grad()
        output, hidden = model(data, hidden)  # <- culprit
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        if batch % 10 == 0 and batch > 0:
            cur = total_loss / 10
            print("| epoch %3d | batch %3d | loss %5.2f | ppl %8.2f" % (epoch, batch, cur, math.exp(cur)))
            total_loss = 0.0
