import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, net, opt, callbacks):
        self.net, self.opt, self.cb = net, opt, callbacks
        self.step = 0

    def _losses(self, num, cat, y):
        logit = self.net(num, cat)
        bce = F.binary_cross_entropy_with_logits(logit, y)
        spread = logit.pow(2).mean() * 1e-3
        with torch.no_grad():
            acc = ((logit > 0).float() == y).float().mean()
        return bce + spread, {"bce": bce, "spread": spread, "acc": acc}  # <- culprit

    def _batch(self, *cols):
        self.cb.on_batch_begin(self.step)
        loss, logs = self._losses(*cols)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.cb.on_batch_end(self.step, logs)  # <- culprit
        self.step += 1

    def fit(self, table, epochs, batch_size):
        n = len(table[0])
        for _ in range(epochs):
            for idx in torch.randperm(n).split(batch_size):
                self._batch(*(c[idx] for c in table))
        self.cb.on_fit_end()
