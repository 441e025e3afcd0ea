# gradwatch-corpus: kind=second-backward
# holder: self._table | model._table
# first-bad: 1
import torch
import torch.nn.functional as F

from encoders import Recommender

torch.set_num_threads(1)
torch.manual_seed(31)

USERS, ARTICLES = 80, 150


def clicks(n):
    u = torch.randint(0, USERS, (n,))
    a = torch.randint(0, ARTICLES, (n,))
    y = ((u % 5) == (a % 5)).float()
    return u, a, y


def train_epoch(model, opt, data, batch_size=64):
    model.train()
    model.invalidate()  # <- culprit
    u, a, y = data
    total, n = 0.0, 0
    for idx in torch.randperm(len(u)).split(batch_size):
        logits = model(u[idx], a[idx])
        loss = F.binary_cross_entropy_with_logits(logits, y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
        n += len(idx)
    return total / n


@torch.no_grad()
def accuracy(model, data):
    model.eval()
    model.invalidate()
    u, a, y = data
    return ((model(u, a) > 0).float() == y).float().mean().item()


def main():
    titles = torch.randint(0, 200, (ARTICLES, 7))
    model = Recommender(USERS, titles)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    train, test = clicks(3000), clicks(600)
    for epoch in range(4):
        loss = train_epoch(model, opt, train)
        print(f"epoch {epoch} logloss {loss:.4f} acc {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()
