import heapq
import itertools


class Callback:
    def before_update(self, step, optimizer):
        pass

    def after_update(self, step, each, labels):
        pass


class LinearWarmup(Callback):
    def __init__(self, base, steps):
        self.base, self.steps = base, steps

    def before_update(self, step, optimizer):
        for group in optimizer.param_groups:
            group["lr"] = self.base * min(1.0, (step + 1) / self.steps)


class HardCases(Callback):
    """Most expensive patch of every batch, costliest on top of the heap."""

    def __init__(self, show):
        self.show = show
        self._heap = []
        self._tie = itertools.count()

    def after_update(self, step, each, labels):
        k = int(each.argmax())
        cost = each[k]
        entry = (-cost.item(), next(self._tie), cost, labels[k].item())  # <- culprit
        heapq.heappush(self._heap, entry)  # <- culprit

    def worst(self):
        return [(cost.item(), label) for _, _, cost, label in heapq.nsmallest(self.show, self._heap)]


class Progress(Callback):
    def __init__(self, every):
        self.every = every

    def after_update(self, step, each, labels):
        if step % self.every == 0:
            print("step %4d  loss %.4f" % (step, each.mean().item()))
