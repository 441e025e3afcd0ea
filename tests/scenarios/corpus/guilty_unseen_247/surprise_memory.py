# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | self.vals | memory.keys | memory.vals | self.memory.keys | self.memory | memory | learner.memory | learner.memory.keys
# first-bad: 5
"""Few-shot stream classifier with an episodic key-value store that is written on surprising inputs."""
import torch
import torch.nn.functional as F
from torch import nn


class EpisodicStore:
    def __init__(self, slots, dim, classes):
        self.keys = F.normalize(torch.randn(slots, dim), dim=1)
        self.vals = torch.full((slots, classes), 1.0 / classes)
        self.age = torch.zeros(slots)

    def read(self, query, sharpness=8.0):
        match = torch.softmax(sharpness * query @ self.keys.t(), dim=1)
        return match @ self.vals, match

    def write(self, query, onehot):
        slot = self.age.topk(len(query)).indices
        self.keys[slot] = query  # <- culprit
        self.vals[slot] = onehot  # <- culprit
        self.age[slot] = 0

    def tick(self, match):
        self.age += 1
        self.age[match.argmax(1)] = 0


class StreamLearner:
    def __init__(self, d_in=20, dim=16, classes=5, slots=64, patience=5):
        self.classes = classes
        self.patience = patience
        self.memory = EpisodicStore(slots, dim, classes)
        self.encoder = nn.Sequential(nn.Linear(d_in, 48), nn.ReLU(), nn.Linear(48, dim))
        self.prior = nn.Linear(dim, classes)
        self.alpha = nn.Parameter(torch.tensor(0.0))
        params = list(self.encoder.parameters()) + list(self.prior.parameters()) + [self.alpha]
        self.opt = torch.optim.NAdam(params, lr=2e-3)

    def predict(self, x):
        z = F.normalize(self.encoder(x), dim=1)
        recalled, match = self.memory.read(z)
        mix = torch.sigmoid(self.alpha)
        probs = mix * recalled + (1 - mix) * torch.softmax(self.prior(z), dim=1)
        return probs, z, match

    def memorise(self, z, y, probs):
        with torch.no_grad():
            surprise = -probs.gather(1, y.unsqueeze(1)).squeeze(1).log()
            worst = surprise.topk(4).indices
            onehot = F.one_hot(y[worst], self.classes).float()
            self.memory.write(z[worst], onehot)  # <- culprit

    def step(self, t, x, y):
        probs, z, match = self.predict(x)
        loss = F.nll_loss(probs.clamp(min=1e-6).log(), y)
        self.memory.tick(match)
        if t >= self.patience:
            self.memorise(z, y, probs)  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        acc = (probs.argmax(1) == y).float().mean()
        return loss.item(), acc.item()


def stream(length, d_in, classes, batch):
    centers = torch.randn(classes, d_in)
    for t in range(length):
        centers = centers + 0.02 * torch.randn_like(centers)
        y = torch.randint(0, classes, (batch,))
        yield t, centers[y] + 0.8 * torch.randn(batch, d_in), y


def main():
    torch.manual_seed(314)
    learner = StreamLearner()
    for t, x, y in stream(120, 20, 5, 16):
        loss, acc = learner.step(t, x, y)
        print(f"t={t} loss={loss:.3f} acc={acc:.2f}")


if __name__ == "__main__":
    main()
