from collections import defaultdict

class LedgerSink:
    """Final store of measurements; only called when a unit of work commits."""

    def __init__(self):
        self.rows = []
        self._series = defaultdict(list)

    def write(self, series, round_no, value):
        number = float(value)
        self.rows.append((series, round_no, number))
        self._series[series].append(number)

    def tail_mean(self, series, n):
        tail = self._series[series][-n:]
        return sum(tail) / len(tail)

class UnitOfWork:
    """All side effects of a fit are run together, after it succeeded."""

    def __init__(self, name):
        self.name = name
        self._pending = []

    def on_commit(self, action):
        self._pending.append(action)  # <- culprit

    def commit(self):
        done = len(self._pending)
        for action in self._pending:
            action()
        self._pending.clear()
        return done
