"""Per-image losses over the run, for the review of labels afterwards."""
from collections import defaultdict


class HardnessLog:
    """One row for each batch: the ids of its images and their losses."""

    def __init__(self):
        self.rows = []

    def add(self, ids, losses):
        self.rows.append((ids.tolist(), losses))  # <- culprit

    def hardest(self, k):
        """Images with the highest mean loss, hardest first."""
        per_image = defaultdict(list)
        for ids, losses in self.rows:
            for image_id, value in zip(ids, losses.tolist()):
                per_image[image_id].append(value)
        means = [(i, sum(v) / len(v)) for i, v in per_image.items()]
        return sorted(means, key=lambda row: -row[1])[:k]
