import torch
import torch.nn.functional as F

from .tracking import RunningMeans


class Fitter:
    def __init__(self, net, lr, batch):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.batch = batch
        self.train = RunningMeans()

    def _batches(self, n):
        order = torch.randperm(n)
        for i in range(0, n, self.batch):
            yield order[i:i + self.batch]

    def _one(self, num, plan, target):
        logit = self.net(num, plan)
        bce = F.binary_cross_entropy_with_logits(logit, target)
        acc = ((logit > 0).float() == target).float().mean()
        self.opt.zero_grad()
        bce.backward()
        self.opt.step()
        return bce, acc

    def run(self, X, cat, y, rounds):
        for r in range(rounds):
            for idx in self._batches(len(X)):
                bce, acc = self._one(X[idx], cat[idx], y[idx])  # <- culprit
                self.train.push(len(idx), bce=bce, acc=acc)
            if r % 10 == 9:
                print(f"round {r:02d} bce={self.train.mean('bce'):.4f} acc={self.train.mean('acc'):.3f}")
