# gradwatch-corpus: kind=memory-climb
# holder: train_ds.memo | self.memo | loader.dataset.memo
# first-bad: 1
# notice: 200
# after: MoonshotAI/Kimi-Audio #117 "@lru_cache(maxsize=None) may cause memory leakage when training data grows larger" (cache on __getitem__)
"""Spoken digit recognition, 1 s clips. The spectrogram is the slow part, so it is remembered."""
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    SR, LEN = 8000, 8000

    def __init__(self, n=640, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 10, (n,), generator=g)
        t = torch.arange(2 * self.LEN) / self.SR
        self.tones = torch.stack([torch.sin(2 * torch.pi * (150 + 90 * k) * t) for k in range(10)])
        self.memo = {}

    def __len__(self):
        return len(self.labels)

    def spectrogram(self, i, offset):
        key = (i, offset)
        if key not in self.memo:
            wav = self.tones[self.labels[i], offset:offset + self.LEN]
            spec = torch.stft(wav, 256, 64, window=torch.hann_window(256), return_complex=True).abs()
            self.memo[key] = torch.log1p(spec[:96])  # <- culprit
        return self.memo[key]

    def __getitem__(self, i):
        offset = random.randrange(self.LEN)     # time shift augmentation
        x = self.spectrogram(i, offset)
        return x + 0.1 * torch.randn_like(x), self.labels[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Sequential(nn.Conv1d(96, 32, 5, 2), nn.ReLU(), nn.Conv1d(32, 32, 5, 2), nn.ReLU())
        self.o = nn.Linear(32, 10)

    def forward(self, x):
        return self.o(self.c(x).mean(-1))


if __name__ == "__main__":
    random.seed(1); torch.manual_seed(1)
    train_ds = Digits()
    loader = DataLoader(train_ds, batch_size=16, shuffle=True, num_workers=0)
    model, ce = Net(), nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    for epoch in range(6):
        hit = n = 0
        for x, y in loader:
            logits = model(x)
            loss = ce(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hit += (logits.argmax(1) == y).sum().item()
            n += len(y)
        print(epoch, hit / n)
