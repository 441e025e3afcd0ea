class SliceRejected(ValueError):
    def __init__(self, case, reason):
        super().__init__(f"{case}: {reason}")
        self.case = case
        self.reason = reason


class QualityLog:
    """Which cases were passed over, and why."""

    def __init__(self):
        self.rejected = []

    def note(self, err):
        self.rejected.append(err)  # <- culprit

    def headline(self):
        if not self.rejected:
            return "nothing rejected"
        return f"{len(self.rejected)} rejected, last {self.rejected[-1].case}"

    def protocol(self, limit):
        for err in self.rejected[:limit]:
            yield f"{type(err).__name__}  {err}"
