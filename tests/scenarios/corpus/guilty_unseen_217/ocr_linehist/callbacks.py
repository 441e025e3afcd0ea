from events import StepEnd


class Callback:
    def handlers(self):
        return {StepEnd: self.on_step_end}

    def on_step_end(self, event):
        raise NotImplementedError


class MetricsRecorder(Callback):
    def __init__(self, keys):
        self.records = {k: [] for k in keys}

    def on_step_end(self, event):
        for key, series in self.records.items():
            if key in event.values:
                series.append(event.values[key])  # <- culprit

    def tail_mean(self, key, n):
        tail = self.records[key][-n:]
        return sum(float(v) for v in tail) / max(1, len(tail))

    def best(self, key):
        return min(float(v) for v in self.records[key])


class Console(Callback):
    def __init__(self, recorder, every):
        self.recorder, self.every = recorder, every

    def on_step_end(self, event):
        if (event.step + 1) % self.every == 0:
            print(event.step + 1, "ctc", round(self.recorder.tail_mean("ctc", self.every), 3))
