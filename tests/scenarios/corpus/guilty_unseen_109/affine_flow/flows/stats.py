class PopulationStatMixin:
    """Keeps the mean over every batch seen since tracking was switched on."""

    def init_stats(self):
        self.stat_sum = 0.0
        self.stat_n = 0

    def track(self, batch_stat):
        self.stat_sum = self.stat_sum + batch_stat  # <- culprit
        self.stat_n += 1
        return self.stat_sum / self.stat_n
