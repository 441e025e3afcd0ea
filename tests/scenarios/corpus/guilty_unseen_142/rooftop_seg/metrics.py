import torch.nn.functional as F


def soft_dice(probs, mask, eps=1e-5):
    hot = F.one_hot(mask, probs.size(1)).permute(0, 3, 1, 2).to(probs.dtype)
    inter = (probs * hot).sum((0, 2, 3))
    return (2 * inter + eps) / (probs.sum((0, 2, 3)) + hot.sum((0, 2, 3)) + eps)


class DiceTracker:
    """Per-class dice: the current epoch's and over everything seen so far."""

    def __init__(self, classes):
        self.classes = classes
        self.overall = [0.0] * classes
        self.seen = 0
        self.start_epoch()

    def start_epoch(self):
        self.epoch = [0.0] * self.classes
        self.epoch_seen = 0

    def update(self, dice, n):
        for c, d in enumerate(dice.tolist()):
            self.epoch[c] += d * n
        for c in range(self.classes):
            self.overall[c] += dice[c] * n  # <- culprit
        self.seen += n
        self.epoch_seen += n

    def summary(self):
        now = [round(v / self.epoch_seen, 3) for v in self.epoch]
        ever = [round(float(v) / self.seen, 3) for v in self.overall]
        return {"epoch": now, "overall": ever}
