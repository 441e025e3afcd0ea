# gradwatch-corpus: kind=second-backward
# holder: self.prototypes | learner.prototypes
# first-bad: 21
"""Long-tailed classification with CE warm-up, then prototype alignment on top."""
import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = dict(classes=8, dim=32, feat=24, batch=64, epochs=5, warmup_epochs=1, lr=0.02, proto_weight=0.5, tau=0.2)


def long_tail_data(n, classes, dim):
    freq = torch.tensor([0.75 ** c for c in range(classes)])
    y = torch.multinomial(freq, n, replacement=True)
    means = torch.randn(classes, dim) * 1.2
    return means[y] + torch.randn(n, dim), y


class Backbone(nn.Module):
    def __init__(self, dim, feat):
        super().__init__()
        self.fc1 = nn.Linear(dim, 64)
        self.bn = nn.BatchNorm1d(64)
        self.fc2 = nn.Linear(64, feat)

    def forward(self, x):
        return self.fc2(F.relu(self.bn(self.fc1(x))))


class ProtoLearner(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.backbone = Backbone(c["dim"], c["feat"])
        self.classifier = nn.Linear(c["feat"], c["classes"])
        self.prototypes = None

    def refresh_prototypes(self, x, y):
        self.backbone.eval()
        feats = self.backbone(x)  # <- culprit
        onehot = F.one_hot(y, self.c["classes"]).float()
        sums = onehot.t() @ feats
        self.prototypes = F.normalize(sums / onehot.sum(0).clamp(min=1)[:, None], dim=1)  # <- culprit
        self.backbone.train()

    def loss(self, x, y):
        f = self.backbone(x)
        logits = self.classifier(f)
        loss = F.cross_entropy(logits, y)
        if self.prototypes is not None:
            sim = F.normalize(f, dim=1) @ self.prototypes.t() / self.c["tau"]
            loss = loss + self.c["proto_weight"] * F.cross_entropy(sim, y)
        return loss, (logits.argmax(1) == y).float().mean().item()


def iterate(x, y, bs):
    order = torch.randperm(len(x))
    for s in range(0, len(x), bs):
        j = order[s : s + bs]
        yield x[j], y[j]


if __name__ == "__main__":
    torch.manual_seed(31)
    x, y = long_tail_data(1280, cfg["classes"], cfg["dim"])
    support_x, support_y = x[:256], y[:256]
    learner = ProtoLearner(cfg)
    opt = torch.optim.SGD(learner.parameters(), lr=cfg["lr"], momentum=0.9, weight_decay=5e-4)
    step = 0
    for epoch in range(cfg["epochs"]):
        if epoch >= cfg["warmup_epochs"]:
            learner.refresh_prototypes(support_x, support_y)
        accs = []
        for xb, yb in iterate(x, y, cfg["batch"]):
            loss, acc = learner.loss(xb, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            accs.append(acc)
            step += 1
        print(f"epoch {epoch} step {step} acc {sum(accs) / len(accs):.3f}")
