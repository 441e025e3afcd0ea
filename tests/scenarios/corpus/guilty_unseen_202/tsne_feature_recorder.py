# gradwatch-corpus: kind=graph-held
# holder: self.features[name] | self.features | recorder.features | recorder.features['neck']
# first-bad: 1
import argparse
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


class FeatureRecorder:
    """Collects layer outputs so that they can be projected with t-SNE after training."""

    def __init__(self, model, layers):
        self.features = defaultdict(list)
        self.labels = []
        self.handles = []
        for name, module in model.named_modules():
            if name in layers:
                self.handles.append(module.register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.features[name].append(output.flatten(1))  # <- culprit
        return hook

    def add_labels(self, y):
        self.labels.extend(y.tolist())

    def matrix(self, name, last=20):
        return torch.cat(self.features[name][-last:]).detach().numpy()

    def close(self):
        for h in self.handles:
            h.remove()


class TabularNet(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(n_in, hidden), nn.LayerNorm(hidden), nn.GELU())
        self.block = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Dropout(0.1))
        self.neck = nn.Linear(hidden, 8)
        self.cls = nn.Linear(8, n_out)

    def forward(self, x):
        h = self.stem(x)
        h = h + self.block(h)
        return self.cls(F.relu(self.neck(h)))


def make_blobs(n, d, k, seed):
    g = torch.Generator().manual_seed(seed)
    centers = 2.5 * torch.randn(k, d, generator=g)
    y = torch.randint(0, k, (n,), generator=g)
    return centers[y] + torch.randn(n, d, generator=g), y


def spread(mat):
    return float(mat.std(axis=0).mean())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--hidden", type=int, default=48)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    x, y = make_blobs(1024, 20, 6, args.seed)
    xv, yv = make_blobs(256, 20, 6, args.seed)
    model = TabularNet(20, args.hidden, 6)
    recorder = FeatureRecorder(model, layers={"neck"})
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs)

    for epoch in range(args.epochs):
        model.train()
        for idx in torch.randperm(len(x)).split(args.batch_size):
            opt.zero_grad()
            loss = F.cross_entropy(model(x[idx]), y[idx], label_smoothing=0.05)
            loss.backward()
            opt.step()
            recorder.add_labels(y[idx])
        sched.step()
        model.eval()
        with torch.no_grad():
            acc = (model(xv).argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch:02d} val acc {acc:.3f} neck spread {spread(recorder.matrix('neck')):.3f}")
    recorder.close()


if __name__ == "__main__":
    main()
