from collections import Counter


class Incident(RuntimeError):
    def __init__(self, rnd, worst):
        super().__init__(f"round {rnd}: residual {worst:.2f}")
        self.rnd = rnd
        self.worst = worst


class Watchdog:
    """Flags rounds with an implausible measurement; the chemists go through them later."""

    def __init__(self, limit):
        self.limit = limit
        self.incidents = []

    def check(self, rnd, worst):
        if worst > self.limit:
            raise Incident(rnd, worst)

    def file(self, incident):
        self.incidents.append(incident)  # <- culprit

    def summary(self):
        bins = Counter(int(i.worst) for i in self.incidents)
        return "\n".join(f"  {k}-{k + 1}: {n}" for k, n in sorted(bins.items()))
