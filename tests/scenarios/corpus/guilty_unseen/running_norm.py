# gradwatch-corpus: kind=graph-chain
# holder: self.mean | self.norm.mean | model.norm.mean | norm.mean | module.mean
"""Tabular regression; whitening of the embedding with running statistics (BN without batch dependence)."""
import torch
import torch.nn as nn


class RunningNorm(nn.Module):
    def __init__(self, d, momentum=0.05, eps=1e-5):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
        self.momentum = momentum
        self.eps = eps

    def forward(self, z):
        if self.training:
            self.mean = (1 - self.momentum) * self.mean + self.momentum * z.mean(0)  # <- culprit
        return (z - self.mean) / (z.detach().std(0) + self.eps)


class Model(nn.Module):
    def __init__(self, din, d, dout):
        super().__init__()
        self.embed = nn.Linear(din, d)
        self.norm = RunningNorm(d)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(d, 128), nn.ReLU(), nn.Linear(128, dout))

    def forward(self, x):
        return self.head(self.norm(torch.tanh(self.embed(x))))


def train_one_epoch(model, loader, optimizer, lossfn):
    model.train()
    seen, tot = 0, 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = lossfn(model(xb), yb)
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        seen += len(xb)
        tot += loss.item() * len(xb)
    return tot / seen


if __name__ == "__main__":
    torch.manual_seed(0)
    X = torch.randn(19200, 40)
    Y = X[:, :3].sin() + 0.1 * torch.randn(19200, 3)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=96, shuffle=True)
    model = Model(40, 128, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for ep in range(1):
        print("epoch %d: %.4f" % (ep, train_one_epoch(model, loader, optimizer, nn.MSELoss())))
