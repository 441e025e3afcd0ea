import heapq
from collections import Counter, OrderedDict, deque


class Board:
    """Keeps the tensors as they came: the worst N batches, the latest M, one per turbine."""

    def __init__(self, worst, latest):
        self.n_worst = worst
        self.worst = []
        self.latest = deque(maxlen=latest)
        self.by_turbine = OrderedDict()
        self.ring = [None] * 8
        self.counts = Counter()

    def post(self, step, turbine, loss, error):
        entry = (loss.item(), step, error)
        if len(self.worst) < self.n_worst:
            heapq.heappush(self.worst, entry)
        else:
            heapq.heappushpop(self.worst, entry)
        self.latest.append(loss)
        self.by_turbine[turbine] = error
        self.by_turbine.move_to_end(turbine)
        self.ring[step % len(self.ring)] = (step, loss)
        self.counts[turbine] += 1

    def show(self, step):
        top = max(self.worst)
        mean = sum(l.item() for l in self.latest) / len(self.latest)
        print(f"[{step}] latest {mean:.4f}; worst {top[0]:.4f} at {top[1]} "
              f"(peak row {top[2].argmax().item()}); last turbine {next(reversed(self.by_turbine))}; "
              f"ring from {min(s for s, _ in self.ring)}; busiest {self.counts.most_common(1)[0]}")
