# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n=4096):
        g = torch.Generator().manual_seed(0)
        self.tok = torch.randint(0, 200, (n, 16), generator=g)
        self.lab = (self.tok.float().mean(1) > 100).long()

    def __len__(self):
        return len(self.tok)

    def __getitem__(self, i):
        return self.tok[i], self.lab[i]


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(200, 64)
        self.mlp = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 2))

    def forward(self, t):
        return self.mlp(self.emb(t))


torch.manual_seed(0)
accum_steps = 4
model = Bag()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
running = 0.0
for epoch in range(4):
    opt.zero_grad()
    for i, (tok, lab) in enumerate(DataLoader(Reviews(), batch_size=32, shuffle=True), 1):
        loss = nn.functional.cross_entropy(model(tok), lab) / accum_steps
        loss.backward()
        running += loss.item()
        if i % accum_steps == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    print(epoch, running)
    running = 0.0
