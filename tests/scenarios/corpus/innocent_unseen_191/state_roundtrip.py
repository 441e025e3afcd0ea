# gradwatch-corpus: kind=none
import io
import pickle

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class SessionStore:
    """Per-client recurrent state, serialized between requests."""

    def __init__(self):
        self.blobs = {}

    def save(self, client, h, c):
        buf = io.BytesIO()
        torch.save({"h": h, "c": c.tolist()}, buf)
        self.blobs[client] = pickle.dumps({"raw": buf.getvalue(), "client": client})

    def load(self, client, width):
        if client not in self.blobs:
            return torch.zeros(8, width), torch.zeros(8, width)
        raw = io.BytesIO(pickle.loads(self.blobs[client])["raw"])
        state = torch.load(raw)
        return state["h"], torch.tensor(state["c"])


class KeystrokeModel(nn.Module):
    def __init__(self, keys=20, width=24):
        super().__init__()
        self.width = width
        self.emb = nn.Embedding(keys, 12)
        self.cell = nn.LSTMCell(12, width)
        self.out = nn.Linear(width, keys)

    def chunk(self, tokens, h, c):
        logits = []
        for t in range(tokens.shape[1]):
            h, c = self.cell(self.emb(tokens[:, t]), (h, c))
            logits.append(self.out(h))
        return torch.stack(logits, 1), h, c


def typed(client, pos, gen):
    start = torch.randint(3, (8, 1), generator=gen)
    return (start + torch.arange(pos, pos + 7) * (client + 1)) % 20


def main():
    torch.manual_seed(150)
    gen = torch.Generator().manual_seed(151)
    model = KeystrokeModel()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    store = SessionStore()
    for step in range(420):
        client = step % 5
        tokens = typed(client, step, gen)
        h, c = store.load(client, model.width)
        logits, h, c = checkpoint(model.chunk, tokens[:, :-1], h, c, use_reentrant=False)
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.save(client, h, c)
        if step % 70 == 0:
            print(step, f"{loss.item():.4f}", sum(map(len, store.blobs.values())))


if __name__ == "__main__":
    main()
