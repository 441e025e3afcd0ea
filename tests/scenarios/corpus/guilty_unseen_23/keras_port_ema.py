# gradwatch-corpus: kind=graph-chain
# holder: self.average | model.head.average | layer.average | self.head.average
# first-bad: 1
"""PyTorch port of our Keras image classifier (originally tf 1.15).

The last layer is pulled towards the moving average of its own kernel, in the
original with tf.train.ExponentialMovingAverage.
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def load_data(n=3000, size=16, n_classes=8):
    rng = np.random.default_rng(3)
    protos = rng.normal(size=(n_classes, size, size, 3)).astype("float32")
    y = rng.integers(0, n_classes, n)
    x = protos[y] + rng.normal(scale=1.5, size=(n, size, size, 3)).astype("float32")
    return (x[:2500], y[:2500]), (x[2500:], y[2500:])


class Layer(nn.Module):
    """keras-like layer, may add its own loss terms"""

    def __init__(self):
        super().__init__()
        self.losses = []

    def add_loss(self, value):
        self.losses.append(value)


class AveragedDense(Layer):
    def __init__(self, n_in, units, decay=0.95, pull=0.1):
        super().__init__()
        self.kernel = nn.Parameter(torch.empty(n_in, units))
        self.bias = nn.Parameter(torch.zeros(units))
        nn.init.xavier_uniform_(self.kernel)
        self.average = self.kernel.detach().clone()
        self.decay = decay
        self.pull = pull

    def forward(self, x):
        if self.training:
            # average -= (1 - decay) * (average - kernel)
            delta = torch.sub(self.average, self.kernel)
            self.average = torch.sub(self.average, delta, alpha=1.0 - self.decay)  # <- culprit
            self.add_loss(self.pull * torch.sum((self.kernel - self.average) ** 2))
        return x @ self.kernel + self.bias


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 12, 3, padding="same")
        self.conv2 = nn.Conv2d(12, 24, 3, padding="same")
        self.dense = nn.Linear(24 * 4 * 4, 64)
        self.drop = nn.Dropout(0.3)
        self.head = AveragedDense(64, n_classes)

    def forward(self, x):
        x = x.permute(0, 3, 1, 2)  # channels_last -> channels_first
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.dense(x.flatten(1)))
        return self.head(self.drop(x))

    def compile(self, optimizer, loss):
        self.optimizer, self.loss_fn = optimizer, loss

    def collect_losses(self):
        layers = [m for m in self.modules() if isinstance(m, Layer)]
        total = sum(v for layer in layers for v in layer.losses)
        for layer in layers:
            layer.losses = []
        return total

    def train_on_batch(self, x, y):
        self.train()
        self.optimizer.zero_grad()
        logits = self(torch.from_numpy(x))
        loss = self.loss_fn(logits, torch.from_numpy(y)) + self.collect_losses()
        loss.backward()
        self.optimizer.step()
        return loss.item(), (logits.argmax(1).numpy() == y).mean()

    def evaluate(self, x, y):
        self.eval()
        with torch.no_grad():
            return (self(torch.from_numpy(x)).argmax(1).numpy() == y).mean()

    def fit(self, x, y, batch_size, epochs, validation_data):
        for epoch in range(epochs):
            perm = np.random.permutation(len(x))
            logs = []
            for i in range(0, len(x) - batch_size + 1, batch_size):
                sel = perm[i:i + batch_size]
                logs.append(self.train_on_batch(x[sel], y[sel]))
            loss, acc = np.mean(logs, axis=0)
            val = self.evaluate(*validation_data)
            print(f"Epoch {epoch + 1}/{epochs} - loss: {loss:.4f} - acc: {acc:.4f} - val_acc: {val:.4f}")


if __name__ == "__main__":
    np.random.seed(0)
    torch.manual_seed(0)
    (x_train, y_train), test = load_data()
    model = Classifier(8)
    model.compile(torch.optim.Adam(model.parameters(), 1e-3, eps=1e-7), nn.CrossEntropyLoss())
    model.fit(x_train, y_train, batch_size=32, epochs=4, validation_data=test)
