# gradwatch-corpus: kind=none
# Parity classification with an LSTM; effective batch of 64 from micro batches of 16.
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(9)
torch.set_num_threads(1)

ACCUM = 4


class Parity(Dataset):
    def __init__(self, n, lo=2, hi=7):
        self.seqs = [torch.randint(0, 2, (int(torch.randint(lo, hi, ())),)) for _ in range(n)]

    def __len__(self):
        return len(self.seqs)

    def __getitem__(self, i):
        s = self.seqs[i]
        return s, int(s.sum()) % 2


def collate(batch):
    seqs, labels = zip(*batch)
    lens = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lens, torch.tensor(labels)


class Tagger(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.emb = nn.Embedding(2, 8)
        self.lstm = nn.LSTM(8, h, batch_first=True)
        self.out = nn.Linear(h, 2)

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.out(h[-1])


def train():
    loader = DataLoader(Parity(512), batch_size=16, shuffle=True, collate_fn=collate)
    model = Tagger()
    opt = torch.optim.Adam(model.parameters(), 1e-2)
    sched = torch.optim.lr_scheduler.StepLR(opt, 30, 0.5)
    crit = nn.CrossEntropyLoss()
    opt.zero_grad()
    running, seen = 0.0, 0
    for epoch in range(10):
        for i, (x, lens, y) in enumerate(loader):
            loss = crit(model(x, lens), y) / ACCUM
            loss.backward()
            running += loss.item() * ACCUM
            seen += 1
            if (i + 1) % ACCUM == 0 or (i + 1) == len(loader):
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
                sched.step()
        print(f"epoch {epoch} loss {running / seen:.4f}")
        running, seen = 0.0, 0


if __name__ == "__main__":
    train()
