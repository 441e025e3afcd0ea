from collections import OrderedDict


class CaseRepository:
    """Least-recently-used store of the last result per case."""

    def __init__(self, capacity):
        self.capacity = capacity
        self._entries = OrderedDict()

    def put(self, case_id, score):
        self._entries[case_id] = score  # <- culprit
        self._entries.move_to_end(case_id)
        while len(self._entries) > self.capacity:
            self._entries.popitem(last=False)

    def items(self):
        return self._entries.items()

    def __len__(self):
        return len(self._entries)


class ReviewService:
    def __init__(self, repo, flag_below):
        self.repo, self.flag_below = repo, flag_below

    def report(self, case_ids, scores):
        for case_id, score in zip(case_ids, scores):
            self.repo.put(case_id, score)  # <- culprit

    def flagged(self):
        rows = ((k, v.item()) for k, v in self.repo.items())
        return [(k, v) for k, v in rows if v < self.flag_below]
