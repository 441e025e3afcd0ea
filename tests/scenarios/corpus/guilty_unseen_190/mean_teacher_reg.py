# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.shadow[name] | anchor.shadow
# first-bad: 1
"""Semi-supervised toy: penalise the distance between weights and their moving average."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class WeightAnchor:
    def __init__(self, model, decay=0.95):
        self.decay = decay
        self.shadow = {}
        for name, p in model.named_parameters():
            self.shadow[name] = p.data.clone()

    def update(self, model):
        for name, p in model.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1.0 - self.decay)  # <- culprit

    def penalty(self, model):
        reg = 0.0
        for name, p in model.named_parameters():
            reg = reg + (p - self.shadow[name]).pow(2).sum()
        return reg


class SmallCNN(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        )
        self.classifier = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def make_quadrants(n, seed):
    g = torch.Generator().manual_seed(seed)
    imgs = 0.3 * torch.randn(n, 1, 10, 10, generator=g)
    labels = torch.randint(0, 4, (n,), generator=g)
    for k in range(n):
        r, c = divmod(int(labels[k]), 2)
        imgs[k, 0, r * 5:r * 5 + 5, c * 5:c * 5 + 5] += 1.0
    return imgs, labels


def run(n_iter=420, bs=16, gamma=0.5):
    torch.manual_seed(21)
    imgs, labels = make_quadrants(400, 2)
    model = SmallCNN()
    anchor = WeightAnchor(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    correct, seen = 0, 0
    for it in range(n_iter):
        idx = torch.randint(0, len(imgs), (bs,))
        logits = model(imgs[idx])
        ce = F.cross_entropy(logits, labels[idx])
        loss = ce + gamma * anchor.penalty(model)

        opt.zero_grad()
        loss.backward()
        opt.step()
        anchor.update(model)

        correct += (logits.argmax(1) == labels[idx]).sum().item()
        seen += bs
        if it % 60 == 59:
            print(f"[{it + 1}] ce={ce.item():.3f} acc={correct / seen:.3f}")
            correct = seen = 0


if __name__ == "__main__":
    run()
