from collections import defaultdict


class Scorecard:
    """Root mean square error by lead time."""

    def __init__(self):
        self.errors = defaultdict(list)

    def verify(self, lead, forecast, analysis):
        rmse = (forecast - analysis).pow(2).mean().sqrt()  # <- culprit
        self.errors[lead].append(rmse)  # <- culprit

    def table(self):
        for lead in sorted(self.errors):
            recent = self.errors[lead][-20:]
            yield lead, sum(float(rmse) for rmse in recent) / len(recent)
