import torch
import torch.nn.functional as F


class Metric:
    def reset(self):
        raise NotImplementedError

    def update(self, logits, labels):
        raise NotImplementedError


class SoftConfusion(Metric):
    """Confusion matrix that counts probabilities instead of hard decisions
    (row: truth, column: prediction)."""

    def __init__(self, n_classes):
        self.n_classes = n_classes
        self.reset()

    def reset(self):
        self.mat = torch.zeros(self.n_classes, self.n_classes)
        self.seen = 0

    def update(self, logits, labels):
        probs = F.softmax(logits, dim=1)
        probs = probs.permute(0, 2, 3, 1).reshape(-1, self.n_classes)
        truth = F.one_hot(labels.reshape(-1), self.n_classes).float()
        self.mat += truth.t() @ probs  # <- culprit
        self.seen += labels.numel()

    def iou(self):
        hit = self.mat.diag()
        union = self.mat.sum(0) + self.mat.sum(1) - hit
        return (hit / union.clamp(min=1e-6)).tolist()
