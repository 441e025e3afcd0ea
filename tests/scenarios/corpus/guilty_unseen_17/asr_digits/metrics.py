"""Statistics collected over a stage."""
import torch


class MetricStats:
    """Collects one score per utterance and summarises them at the end of a stage.

    Arguments
    ---------
    metric : function
        Called with the arguments of ``append`` and gives a score per utterance.
    """

    def __init__(self, metric):
        self.metric = metric
        self.clear()

    def clear(self):
        self.ids = []
        self.scores = []

    def append(self, ids, *args):
        scores = self.metric(*args)  # <- culprit
        self.ids.extend(ids)
        self.scores.extend(scores)  # <- culprit

    def summarize(self):
        with torch.no_grad():
            scores = torch.stack(self.scores)
            worst = int(scores.argmax())
        return {"average": scores.mean().item(), "max_score": scores[worst].item(), "max_id": self.ids[worst]}


class TokenErrorRate:
    """Greedy CTC decode, and edit distance to the transcript."""

    def __init__(self, blank=0):
        self.blank, self.errors, self.total = blank, 0, 0

    def append(self, log_probs, targets):
        best = log_probs.argmax(-1).tolist()
        for hyp, ref in zip(best, targets.tolist()):
            out, prev = [], None
            for t in hyp:
                if t != prev and t != self.blank:
                    out.append(t)
                prev = t
            self.errors += self._distance(out, ref)
            self.total += len(ref)

    @staticmethod
    def _distance(a, b):
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            prev, row[0] = row[0], i
            for j, y in enumerate(b, 1):
                prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
        return row[-1]

    def rate(self):
        return 100.0 * self.errors / max(self.total, 1)
