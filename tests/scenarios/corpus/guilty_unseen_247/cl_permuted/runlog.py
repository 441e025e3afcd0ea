from collections import namedtuple

Record = namedtuple("Record", "task step terms")


class RunLog:
    """Flat list of records; grouped only when a summary is wanted."""

    def __init__(self):
        self.records = []

    def add(self, task, step, terms):
        record = Record(task, step, terms)  # <- culprit
        self.records.append(record)  # <- culprit

    def summary(self, task, tail=10):
        chosen = [r for r in self.records if r.task == task]
        chosen = chosen[-tail:]
        ce = sum(r.terms.ce.item() for r in chosen) / len(chosen)
        kd = sum(r.terms.distill.item() for r in chosen) / len(chosen)
        return ce, kd
