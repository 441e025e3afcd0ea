class Events:
    def __init__(self, listeners):
        self.listeners = listeners

    def fire(self, name, step, **values):
        for listener in self.listeners:
            getattr(listener, "on_" + name)(step, values)


class Ledger:
    def __init__(self):
        self.series = {}
        self.now = {}

    def on_step(self, step, values):
        self.now = values
        for k, v in values.items():
            self.series.setdefault(k, []).append(float(v.detach()))

    def tail(self, key, n=50):
        s = self.series[key][-n:]
        return round(sum(s) / len(s), 3)

    def latest(self):
        return {k: round(v.item(), 3) for k, v in self.now.items()}
