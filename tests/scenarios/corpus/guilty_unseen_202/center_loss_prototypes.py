# gradwatch-corpus: kind=graph-chain
# holder: self.centers | bank.centers
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F

NUM_CLASSES, DIM_IN, DIM = 8, 30, 16


class CenterBank:
    def __init__(self, num_classes, dim, momentum=0.9):
        self.num_classes = num_classes
        self.momentum = momentum
        self.centers = F.normalize(torch.randn(num_classes, dim), dim=1)

    def refresh(self, z, y):
        onehot = F.one_hot(y, self.num_classes).float()
        counts = onehot.sum(0).clamp(min=1).unsqueeze(1)
        means = onehot.t() @ z / counts
        seen = (onehot.sum(0) > 0).unsqueeze(1)
        mixed = self.momentum * self.centers + (1 - self.momentum) * means
        self.centers = torch.where(seen, mixed, self.centers)  # <- culprit

    def attract(self, z, y):
        return (z - self.centers[y]).pow(2).sum(1).mean()

    def repel(self, margin=1.0):
        d = torch.cdist(self.centers, self.centers.detach()) + 10 * torch.eye(self.num_classes)
        return F.relu(margin - d).mean()


class ProjectionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(DIM_IN, DIM)
        self.head = nn.Linear(DIM, NUM_CLASSES)

    def forward(self, x):
        z = torch.tanh(self.proj(x))
        return z, self.head(z)


class SpeakerData:
    def __init__(self, n=1500, seed=8):
        g = torch.Generator().manual_seed(seed)
        voice = torch.randn(NUM_CLASSES, DIM_IN, generator=g)
        self.y = torch.randint(0, NUM_CLASSES, (n,), generator=g)
        self.x = voice[self.y] + 1.2 * torch.randn(n, DIM_IN, generator=g)

    def loader(self, batch_size):
        for idx in torch.randperm(len(self.y)).split(batch_size):
            yield self.x[idx], self.y[idx]


def train_epoch(net, bank, data, opt, weight):
    tot = correct = seen = 0
    for x, y in data.loader(32):
        z, logits = net(x)
        loss = F.cross_entropy(logits, y) + weight * (bank.attract(z, y) + bank.repel())
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        bank.refresh(z, y)
        tot += loss.item() * len(y)
        correct += (logits.argmax(1) == y).sum().item()
        seen += len(y)
    return tot / seen, correct / seen


def main():
    torch.manual_seed(8)
    data = SpeakerData()
    net = ProjectionNet()
    bank = CenterBank(NUM_CLASSES, DIM)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(9):
        loss, acc = train_epoch(net, bank, data, opt, weight=0.05)
        print(f"epoch {epoch} loss {loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
