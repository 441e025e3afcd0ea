class Monitors:
    def __init__(self, bus):
        self.series = {}
        self.latest = {}
        bus.on("critic")(self.critic)
        bus.on("generator")(self.generator)

    def _put(self, name, value):
        self.latest[name] = value
        self.series.setdefault(name, []).append(value.item())

    def critic(self, wdist, gp):
        self._put("wdist", wdist)
        self._put("gp", gp)

    def generator(self, loss):
        self._put("gen", loss)

    def table(self):
        return {k: (len(v), round(sum(v[-20:]) / 20, 4)) for k, v in self.series.items()}
