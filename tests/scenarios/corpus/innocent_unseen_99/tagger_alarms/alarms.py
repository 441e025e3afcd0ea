class Undefined(ArithmeticError):
    def __init__(self, message, scale):
        super().__init__(message)
        self.scale = scale


class AlarmBook:
    """All alarms of a run, oldest first.  The exceptions are stored without their tracebacks."""

    def __init__(self):
        self.alarms = []

    def file(self, iteration, err):
        err.iteration = iteration
        self.alarms.append(err.with_traceback(None))

    def __len__(self):
        return len(self.alarms)

    def __str__(self):
        tail = [f"  it {e.iteration}: {e} (scale {e.scale:.2f})" for e in self.alarms[-3:]]
        return "\n".join([f"{len(self)} alarms"] + tail)
