# gradwatch-corpus: kind=none
# Store sales forecasting, GRU with carried state, truncated BPTT over a short window of steps
import numpy as np
import torch
import torch.nn as nn

SEED = 0
N_STORES = 24
N_DAYS = 260
BPTT = 4
EPOCHS = 2
np.random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)


def build_frame():
    days = np.arange(N_DAYS)
    base = np.random.uniform(20, 60, size=(N_STORES, 1))
    week = 8 * np.sin(2 * np.pi * days / 7)[None, :]
    year = 10 * np.sin(2 * np.pi * days / 365)[None, :]
    promo = (np.random.rand(N_STORES, N_DAYS) < 0.1).astype(np.float32)
    sales = base + week + year + 15 * promo + np.random.randn(N_STORES, N_DAYS) * 3
    sales = np.log1p(np.clip(sales, 0, None))
    return torch.tensor(sales, dtype=torch.float32), torch.tensor(promo)


class SalesGRU(nn.Module):
    def __init__(self, n_stores, emb=6, hidden=32):
        super().__init__()
        self.store_emb = nn.Embedding(n_stores, emb)
        self.cell = nn.GRUCell(emb + 4, hidden)
        self.out = nn.Sequential(nn.Linear(hidden, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, store_ids, feats, h):
        x = torch.cat([self.store_emb(store_ids), feats], dim=1)
        h = self.cell(x, h)
        return self.out(h).squeeze(1), h


def features(sales, promo, day):
    angle = torch.full((N_STORES,), 2 * np.pi * (day % 7) / 7)
    return torch.stack([sales[:, day], promo[:, day + 1], torch.sin(angle), torch.cos(angle)], dim=1)


def rmsle(a, b):
    return torch.sqrt(torch.mean((a - b) ** 2)).item()


def main():
    sales, promo = build_frame()
    stores = torch.arange(N_STORES)
    model = SalesGRU(N_STORES)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.MSELoss()
    split = N_DAYS - 30
    history = {"train": [], "valid": []}

    for epoch in range(EPOCHS):
        h = torch.zeros(N_STORES, 32)
        window = []
        epoch_loss = 0.0
        n = 0
        for day in range(split):
            pred, h = model(stores, features(sales, promo, day), h)
            window.append(criterion(pred, sales[:, day + 1]))

            if len(window) == BPTT:
                loss = torch.stack(window).mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                h = h.detach()
                window = []
                epoch_loss += loss.item()
                n += 1
                if n % 20 == 0:
                    print("epoch %d day %d loss %.4f" % (epoch, day, epoch_loss / n))
        history["train"].append(epoch_loss / n)

        scores = []
        with torch.no_grad():
            for day in range(split, N_DAYS - 1):
                pred, h = model(stores, features(sales, promo, day), h)
                scores.append(rmsle(pred, sales[:, day + 1]))
        history["valid"].append(sum(scores) / len(scores))
        print("epoch", epoch, "train", round(history["train"][-1], 4), "valid rmsle", round(history["valid"][-1], 4))


if __name__ == "__main__":
    main()
