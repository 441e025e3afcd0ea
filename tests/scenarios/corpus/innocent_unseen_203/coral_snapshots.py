# gradwatch-corpus: kind=none
"""Coral bleaching classifier: activation hooks, epoch metrics, early stopping."""
import collections
import copy

import torch
from torch import nn


class Latest:
    """Outputs of the watched layers."""

    def __init__(self, net, kinds):
        self.outputs = {}
        for name, module in net.named_modules():
            if isinstance(module, kinds):
                module.register_forward_hook(self.keep(name))

    def keep(self, name):
        def hook(module, args, output):
            self.outputs[name] = output
        return hook

    def sparsity(self):
        return sum(o.abs().mean() for o in self.outputs.values()) / len(self.outputs)


class EpochMetrics:
    def __init__(self):
        self.values = collections.defaultdict(list)
        self.epochs = []

    def add(self, **tensors):
        for k, v in tensors.items():
            self.values[k].append(v.detach())

    def close(self):
        row = {k: torch.stack(v).mean().item() for k, v in self.values.items()}
        self.values.clear()
        self.epochs.append(row)
        return row


class EarlyStopping:
    def __init__(self, patience, keep=3):
        self.patience, self.keep = patience, keep
        self.best, self.bad = float("inf"), 0
        self.snapshots = []

    def stop(self, score, net):
        if score < self.best - 1e-4:
            self.best, self.bad = score, 0
            self.snapshots = (self.snapshots + [(score, copy.deepcopy(net.state_dict()))])[-self.keep:]
        else:
            self.bad += 1
        return self.bad > self.patience


def reef(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 16, generator=g)
    heat = x[:, 0] + x[:, 1] * x[:, 2] - 0.4 * x[:, 3]
    return x, (heat + 0.4 * torch.randn(n, generator=g) > 0.3).float()


def main(epochs=24, batch=32):
    torch.manual_seed(15)
    x, y = reef(640, 15)
    vx, vy = reef(300, 16)
    net = nn.Sequential(nn.Linear(16, 40), nn.ReLU(), nn.Linear(40, 20), nn.ReLU(), nn.Linear(20, 1))
    latest = Latest(net, nn.ReLU)
    metrics, stopper = EpochMetrics(), EarlyStopping(patience=12)
    opt = torch.optim.Adam(net.parameters(), lr=7e-4)
    for epoch in range(epochs):
        for i in torch.randperm(len(x)).split(batch):
            logits = net(x[i]).squeeze(1)
            bce = nn.functional.binary_cross_entropy_with_logits(logits, y[i])
            sparse = latest.sparsity()
            loss = bce + 1e-3 * sparse
            opt.zero_grad()
            loss.backward()
            opt.step()
            metrics.add(loss=loss, bce=bce, sparse=sparse, acc=((logits > 0).float() == y[i]).float().mean())
        row = metrics.close()
        with torch.no_grad():
            score = nn.functional.binary_cross_entropy_with_logits(net(vx).squeeze(1), vy).item()
        if epoch % 4 == 0:
            print(epoch, {k: round(v, 3) for k, v in row.items()}, f"valid {score:.4f}")
        if stopper.stop(score, net):
            print("stopped at", epoch)
            break
    net.load_state_dict(stopper.snapshots[-1][1])
    print("best", round(stopper.best, 4), "snapshots", [round(s, 4) for s, _ in stopper.snapshots])


if __name__ == "__main__":
    main()
