# gradwatch-corpus: kind=second-backward
# holder: self.adjacency | model.adjacency
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

NODES = 20


class TrafficWindows(Dataset):
    """12 past readings of every sensor -> the next reading."""

    def __init__(self, length=900, past=12, seed=5):
        g = torch.Generator().manual_seed(seed)
        t = torch.arange(length).float()
        phase = torch.rand(NODES, generator=g) * 6.28
        speed = torch.sin(t[:, None] / 24 + phase) + 0.1 * torch.randn(length, NODES, generator=g)
        self.values = speed + 0.3 * speed.roll(1, dims=1)
        self.past = past

    def __len__(self):
        return len(self.values) - self.past

    def __getitem__(self, i):
        return self.values[i:i + self.past].T, self.values[i + self.past]


class GraphMix(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.neigh = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, adjacency):
        return self.own(x) + self.neigh(torch.einsum("nm,bmd->bnd", adjacency, x))


class AdaptiveGraphNet(nn.Module):
    def __init__(self, past=12, width=32, rank=6):
        super().__init__()
        self.source = nn.Parameter(torch.randn(NODES, rank) * 0.3)
        self.target = nn.Parameter(torch.randn(NODES, rank) * 0.3)
        self.mix1 = GraphMix(past, width)
        self.mix2 = GraphMix(width, width)
        self.head = nn.Linear(width, 1)
        self.adjacency = F.softmax(F.relu(self.source @ self.target.T), dim=1)  # <- culprit

    def forward(self, x):
        h = F.relu(self.mix1(x, self.adjacency))
        h = F.relu(self.mix2(h, self.adjacency))
        return self.head(h).squeeze(-1)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        errs = [F.l1_loss(model(x), y).item() for x, y in loader]
    return sum(errs) / len(errs)


def fit(model, train_loader, test_loader, epochs=4):
    opt = torch.optim.Adam(model.parameters(), lr=4e-3, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.5)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            opt.step()
        sched.step()
        print(f"epoch {epoch}: last mse {loss.item():.4f}, test mae {evaluate(model, test_loader):.4f}")


def main():
    torch.manual_seed(1)
    train_loader = DataLoader(TrafficWindows(), batch_size=32, shuffle=True, drop_last=True)
    test_loader = DataLoader(TrafficWindows(length=200, seed=6), batch_size=64)
    model = AdaptiveGraphNet()
    params = sum(p.numel() for p in model.parameters())
    print(f"{NODES} sensors, {params} weights, untrained mae {evaluate(model, test_loader):.4f}")
    fit(model, train_loader, test_loader)


if __name__ == "__main__":
    main()
