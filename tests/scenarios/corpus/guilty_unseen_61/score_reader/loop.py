"""Reads a score from its first bar to its last, one update per segment."""
import torch.nn.functional as F


class SegmentLoop:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def read(self, score, length):
        self.model.memory.clear()
        losses = []
        for lo in range(0, score.size(1) - 1, length):
            x, y = score[:, lo:lo + length], score[:, lo + 1:lo + length + 1]
            logits = self.model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)  # <- culprit
            self.optimizer.step()
            losses.append(loss.item())
        return losses
