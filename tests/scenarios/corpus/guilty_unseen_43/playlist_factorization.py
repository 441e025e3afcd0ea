# gradwatch-corpus: kind=graph-chain
# holder: fitter.regularizer.tracker.center | self.center | self.tracker.center | tracker.center | reg.tracker.center | regularizer.tracker.center
# first-bad: 1
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HP = dict(users=150, tracks=220, dim=12, lr=0.4, batch=64, epochs=3, center_weight=0.3, momentum=0.9)


class CenterTracker:
    def __init__(self, momentum):
        self.momentum = momentum
        self.center = None

    def __call__(self, vecs):
        batch_center = vecs.mean(dim=0)
        if self.center is None:
            self.center = batch_center  # <- culprit
        else:
            m = self.momentum
            self.center = m * self.center + (1 - m) * batch_center  # <- culprit
        return self.center


class CenteringRegularizer:
    """Pulls the catalogue's running centre to the origin (cures popularity drift)."""

    def __init__(self, weight, momentum):
        self.weight = weight
        self.tracker = CenterTracker(momentum)

    def penalty(self, track_vecs):
        c = self.tracker(track_vecs)
        return self.weight * c.pow(2).sum()


class Factorizer(nn.Module):
    def __init__(self, users, tracks, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.track = nn.Embedding(tracks, dim)
        self.user_bias = nn.Embedding(users, 1)
        for emb in (self.user, self.track):
            nn.init.normal_(emb.weight, mean=0.1, std=0.2)
        nn.init.zeros_(self.user_bias.weight)

    def forward(self, u, t):
        tv = self.track(t)
        score = (self.user(u) * tv).sum(-1) + self.user_bias(u).squeeze(-1)
        return score, tv


def listening_log(users, tracks, n=2400, seed=0):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(users, 4, generator=g)
    genre = torch.randn(tracks, 4, generator=g)
    u = torch.randint(users, (n,), generator=g)
    t = torch.randint(tracks, (n,), generator=g)
    liked = ((taste[u] * genre[t]).sum(-1) > 0).float()
    return TensorDataset(u, t, liked)


class Fitter:
    def __init__(self, model, hp):
        self.model = model
        self.opt = torch.optim.Adagrad(model.parameters(), lr=hp["lr"] * 0.2)
        self.regularizer = CenteringRegularizer(hp["center_weight"], hp["momentum"])
        self.bce = nn.BCEWithLogitsLoss()

    def fit_epoch(self, loader):
        tot, hit, n = 0.0, 0, 0
        for u, t, liked in loader:
            score, tv = self.model(u, t)
            loss = self.bce(score, liked) + self.regularizer.penalty(tv)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)  # <- culprit
            self.opt.step()
            tot += loss.item() * len(u)
            hit += ((score > 0).float() == liked).sum().item()
            n += len(u)
        return tot / n, hit / n


def main(hp=HP):
    torch.manual_seed(8)
    log = listening_log(hp["users"], hp["tracks"])
    loader = DataLoader(log, batch_size=hp["batch"], shuffle=True)
    fitter = Fitter(Factorizer(hp["users"], hp["tracks"], hp["dim"]), hp)
    for ep in range(hp["epochs"]):
        loss, acc = fitter.fit_epoch(loader)
        print(f"epoch {ep + 1}/{hp['epochs']} loss={loss:.4f} acc={acc:.3f}")


if __name__ == "__main__":
    main()
