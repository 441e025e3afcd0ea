import torch


class StageMeter:
    """Keeps the per-batch outputs and computes the usual hypnogram scores over everything seen."""

    def __init__(self):
        self.rows = []

    def update(self, **row):
        self.rows.append(row)  # <- culprit

    def _confusion(self, k, last=None):
        cm = torch.zeros(k, k)
        for r in self.rows[-last:] if last else self.rows:
            p = r["logits"].argmax(-1).flatten()
            for a, b in zip(r["target"].flatten().tolist(), p.tolist()):
                cm[a, b] += 1
        return cm

    def mean_loss(self, last=20):
        vals = [r["loss"] for r in self.rows[-last:]]
        return sum(vals) / len(vals)

    def recall(self, k):
        cm = self._confusion(k, last=60)
        return (cm.diag() / cm.sum(1).clamp(min=1)).tolist()

    def kappa(self, k):
        cm = self._confusion(k, last=60)
        n = cm.sum()
        po = cm.diag().sum() / n
        pe = (cm.sum(0) * cm.sum(1)).sum() / n ** 2
        return float((po - pe) / (1 - pe))
