# gradwatch-corpus: kind=graph-chain
# holder: self.W | self.b | clf.W | clf.b
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(21)


def blobs(n_per_class=80, classes=4, dim=6):
    centers = torch.randn(classes, dim) * 2.5
    xs, ys = [], []
    for c in range(classes):
        xs.append(centers[c] + torch.randn(n_per_class, dim))
        ys.append(torch.full((n_per_class,), c))
    x, y = torch.cat(xs), torch.cat(ys)
    perm = torch.randperm(len(x))
    return x[perm], y[perm]


def cross_entropy(logits, y):
    logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
    return -logp[torch.arange(len(y)), y].mean()


class SoftmaxRegression:
    """Exercise 3: softmax regression without torch.nn and torch.optim."""

    def __init__(self, dim, classes, lr=0.1, weight_decay=1e-3):
        self.W = torch.zeros(dim, classes, requires_grad=True)
        self.b = torch.zeros(classes, requires_grad=True)
        self.lr = lr
        self.weight_decay = weight_decay

    def logits(self, x):
        return x @ self.W + self.b

    def loss(self, x, y):
        return cross_entropy(self.logits(x), y)

    def update(self):
        gW = self.W.grad + self.weight_decay * self.W.detach()
        gb = self.b.grad
        self.W = self.W - self.lr * gW  # <- culprit
        self.b = self.b - self.lr * gb  # <- culprit
        self.W.retain_grad()
        self.b.retain_grad()

    def fit(self, x, y, epochs=8, batch_size=24):
        for epoch in range(epochs):
            perm = torch.randperm(len(x))
            running, count = 0.0, 0
            for k in range(0, len(x), batch_size):
                idx = perm[k:k + batch_size]
                loss = self.loss(x[idx], y[idx])
                loss.backward()
                self.update()
                running += loss.item()
                count += 1
            print(f"epoch {epoch}: loss {running / count:.4f} acc {self.score(x, y):.3f}")
        return self

    def score(self, x, y):
        with torch.no_grad():
            return (self.logits(x).argmax(1) == y).float().mean().item()


def main():
    x, y = blobs()
    split = int(0.75 * len(x))
    clf = SoftmaxRegression(x.shape[1], 4)
    clf.fit(x[:split], y[:split])
    print("held-out accuracy", clf.score(x[split:], y[split:]))


if __name__ == "__main__":
    main()
