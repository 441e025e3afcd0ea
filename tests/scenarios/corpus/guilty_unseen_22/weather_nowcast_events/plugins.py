import io

REGISTRY = {}


def plugin(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


class Plugin:
    def attach(self, bus):
        for topic in ("run_begin", "step_end", "run_end"):
            handler = getattr(self, "on_" + topic, None)
            if handler is not None:
                bus.subscribe(topic, handler, getattr(self, "priority", 0))


@plugin("csi")
class CriticalSuccessIndex(Plugin):
    def __init__(self, threshold, every):
        self.threshold, self.every = threshold, every
        self.hits = self.misses = self.false_alarms = 0

    def on_step_end(self, ev):
        p, t = ev.pred > self.threshold, ev.truth > self.threshold
        self.hits += int((p & t).sum())
        self.misses += int((~p & t).sum())
        self.false_alarms += int((p & ~t).sum())
        if (ev.step + 1) % self.every == 0:
            total = self.hits + self.misses + self.false_alarms
            print(f"   CSI@{self.threshold}: {self.hits / max(total, 1):.3f}")
            self.hits = self.misses = self.false_alarms = 0


@plugin("score_table")
class ScoreTable(Plugin):
    """CSV of the whole run. Rows are rendered at the end, string formatting stays out of the loop."""
    priority = 5

    def __init__(self, columns):
        self.columns = columns
        self._pending = []

    def on_step_end(self, ev):
        values = [getattr(ev, c) for c in self.columns]
        self._pending.append(lambda: ",".join(f"{v:.6g}" for v in values))  # <- culprit

    def on_run_end(self, ev):
        out = io.StringIO()
        print(",".join(self.columns), file=out)
        for render in self._pending:
            print(render(), file=out)
        print("score table:", len(out.getvalue()), "bytes,", len(self._pending), "rows")


@plugin("progress")
class Progress(Plugin):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, ev):
        if (ev.step + 1) % self.every == 0:
            print(f"step {ev.step + 1:4d}  loss {ev.loss.item():.4f}  |g| {ev.norm:.3f}")
