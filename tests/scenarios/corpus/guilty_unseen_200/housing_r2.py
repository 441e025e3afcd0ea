# gradwatch-corpus: kind=graph-held
# holder: preds
# first-bad: 1
# Regression of house prices with an R2 over all that was seen so far
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def build_data(n=320, seed=21):
    g = torch.Generator().manual_seed(seed)
    area = torch.rand(n, 1, generator=g) * 2
    rooms = torch.randint(1, 7, (n, 1), generator=g).float()
    age = torch.rand(n, 1, generator=g) * 5
    dist = torch.rand(n, 1, generator=g)
    price = 1.8 * area + 0.3 * rooms - 0.1 * age - area * dist
    price = price + 0.05 * torch.randn(n, 1, generator=g)
    feats = torch.cat([area, rooms / 6, age / 5, dist], 1)
    return feats, price.squeeze(1)


class PriceNet(nn.Module):
    def __init__(self, d_in, hidden=(32, 16), p=0.05):
        super().__init__()
        layers = []
        for h in hidden:
            layers += [nn.Linear(d_in, h), nn.SiLU(), nn.Dropout(p)]
            d_in = h
        layers.append(nn.Linear(d_in, 1))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x).squeeze(-1)


@torch.no_grad()
def r2_score(preds, targets):
    p, t = torch.cat(preds), torch.cat(targets)
    ss_res = (t - p).pow(2).sum()
    ss_tot = (t - t.mean()).pow(2).sum()
    return (1 - ss_res / ss_tot).item()


def train():
    torch.manual_seed(21)
    feats, price = build_data()
    loader = DataLoader(TensorDataset(feats, price), batch_size=16, shuffle=True)
    model = PriceNet(feats.shape[1])
    criterion = nn.HuberLoss(delta=0.5)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)

    preds, targets = [], []
    for epoch in range(22):
        model.train()
        running = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            out = model(x)
            loss = criterion(out, y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item() * len(x)
            preds.append(out)  # <- culprit
            targets.append(y)
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {running / len(feats):.4f} r2 {r2_score(preds, targets):.3f}")
    return model


if __name__ == "__main__":
    train()
