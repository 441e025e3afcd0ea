# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Snapshot ensemble for a text-length regressor; learning rate with restarts."""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class BagRegressor(nn.Module):
    def __init__(self, vocab=300, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, ids):
        return self.mlp(self.bag(ids)).squeeze(-1)


class SnapshotEnsemble:
    def __init__(self, model, every=50):
        self.model = model
        self.every = every
        self.snapshots = []
        self.steps = 0

    def step(self, loss_value):
        self.steps += 1
        state = copy.deepcopy(self.model.state_dict())
        self.snapshots.append((loss_value, self.steps, state))  # <- culprit

    def members(self):
        return [s for _, k, s in self.snapshots if k % self.every == 0]

    def predict(self, ids):
        net = copy.deepcopy(self.model)
        outs = []
        with torch.no_grad():
            for state in self.members():
                net.load_state_dict(state)
                outs.append(net(ids))
        return torch.stack(outs).mean(0)


def reviews(n, vocab=300, length=15):
    ids = torch.randint(0, vocab, (n, length))
    polarity = torch.sin(torch.arange(vocab).float())
    return ids, polarity[ids].mean(1) * 3 + 0.1 * torch.randn(n)


def fit(total=600, cycle=50, lr=0.02):
    torch.manual_seed(17)
    ids, y = reviews(2000)
    model = BagRegressor()
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, cycle)
    ens = SnapshotEnsemble(model, every=cycle)

    for i in range(total):
        pick = torch.randint(0, 1800, (64,))
        pred = model(ids[pick])
        loss = F.mse_loss(pred, y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ens.step(loss.item())
        if (i + 1) % (2 * cycle) == 0:
            e = F.mse_loss(ens.predict(ids[1800:]), y[1800:]).item()
            print(f"step {i + 1}: train {loss.item():.4f} ensemble of {len(ens.members())} {e:.4f}")
    return ens


if __name__ == "__main__":
    fit()
