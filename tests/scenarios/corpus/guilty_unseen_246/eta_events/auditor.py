import collections
import functools


class ZoneAuditor:
    """For every zone the worst misses seen lately, for the ops dashboard."""

    def __init__(self, keep):
        self.worst = collections.defaultdict(functools.partial(collections.deque, maxlen=keep))

    def on_batch(self, zones, miss):
        size = miss.abs()
        for zone in zones.unique().tolist():
            peak = size[zones == zone].max()
            self.worst[zone].append(peak)  # <- culprit

    def table(self):
        rows = []
        for zone, peaks in self.worst.items():
            rows.append((zone, max(p.item() for p in peaks)))
        return sorted(rows, key=lambda row: -row[1])
