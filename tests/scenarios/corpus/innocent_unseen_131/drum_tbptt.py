# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(12)
TRACKS, BPTT, BATCH = 9, 16, 8


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class DrumRNN(nn.Module):
    def __init__(self, nhid=24):
        super().__init__()
        self.nhid = nhid
        self.rnn = nn.LSTM(TRACKS, nhid, 2, dropout=0.1)
        self.dec = nn.Linear(nhid, TRACKS)

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return (w.new_zeros(2, bsz, self.nhid), w.new_zeros(2, bsz, self.nhid))

    def forward(self, x, hidden):
        out, hidden = self.rnn(x, hidden)
        return self.dec(out), hidden


pattern = (torch.rand(32, BATCH, TRACKS) < 0.25).float()
song = pattern.repeat(45, 1, 1)
song = (song + (torch.rand_like(song) < 0.02).float()).remainder(2)
model = DrumRNN()
optimizer = torch.optim.Adam(model.parameters(), 5e-3)
crit = nn.BCEWithLogitsLoss()
for epoch in range(6):
    hidden = model.init_hidden(BATCH)
    total_loss = 0.
    for i in range(0, song.size(0) - BPTT - 1, BPTT):
        data, target = song[i:i + BPTT], song[i + 1:i + 1 + BPTT]
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)
        loss = crit(output, target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total_loss += loss.item()
    print("epoch", epoch, total_loss)
