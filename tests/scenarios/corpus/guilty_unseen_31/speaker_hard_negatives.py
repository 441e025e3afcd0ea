# gradwatch-corpus: kind=graph-held
# holder: self.slots | bank.slots | self.slots[uid]
# first-bad: 1
"""Speaker embeddings with triplet loss; negatives are mined from a bank of the
latest embedding of every utterance."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, n_spk=20, per_spk=48, dim=24, seed=0):
        rng = np.random.default_rng(seed)
        centres = rng.normal(size=(n_spk, dim))
        self.spk = np.repeat(np.arange(n_spk), per_spk)
        self.x = (centres[self.spk] + 0.9 * rng.normal(size=(len(self.spk), dim))).astype("float32")
        self.rng = rng

    def __len__(self):
        return len(self.spk)

    def __getitem__(self, i):
        same = np.flatnonzero(self.spk == self.spk[i])
        j = int(self.rng.choice(same[same != i]))
        return i, self.x[i], self.x[j], int(self.spk[i])


class EmbeddingBank:
    """uid -> (speaker, embedding as last seen)"""

    def __init__(self):
        self.slots = {}

    def put(self, uid, spk, emb):
        self.slots[uid] = (spk, emb)  # <- culprit

    def refresh(self, uids, spks, embs):
        for uid, spk, emb in zip(uids.tolist(), spks.tolist(), embs.unbind(0)):
            self.put(uid, spk, emb)  # <- culprit

    @torch.no_grad()
    def hardest(self, anchors, spks):
        uids = list(self.slots)
        mat = torch.stack([self.slots[u][1] for u in uids])
        owner = torch.tensor([self.slots[u][0] for u in uids])
        sim = anchors @ mat.T
        sim[spks[:, None] == owner[None]] = -2.0
        return [uids[k] for k in sim.argmax(1).tolist()]

    def __len__(self):
        return len(self.slots)


class Embedder(nn.Module):
    def __init__(self, d_in=24, d_out=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def train(epochs=3, batch_size=32, margin=0.3):
    torch.manual_seed(1)
    data = Utterances()
    loader = DataLoader(data, batch_size=batch_size, shuffle=True)
    model, bank = Embedder(), EmbeddingBank()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    step = 0
    for epoch in range(epochs):
        running = 0.0
        for uid, xa, xp, spk in loader:
            ea, ep = model(xa), model(xp)
            bank.refresh(uid, spk, ea)  # <- culprit
            neg_uid = bank.hardest(ea, spk)
            en = model(torch.from_numpy(data.x[neg_uid]))
            d_pos = 1 - (ea * ep).sum(1)
            d_neg = 1 - (ea * en).sum(1)
            loss = F.relu(d_pos - d_neg + margin).mean()

            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
            step += 1
        print(f"epoch {epoch} step {step} triplet {running / len(loader):.4f} bank {len(bank)}")


if __name__ == "__main__":
    train()
