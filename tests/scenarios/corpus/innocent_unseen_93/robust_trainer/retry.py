class Unstable(RuntimeError):
    def __init__(self, message, peak, loss):
        super().__init__(message)
        self.peak = peak
        self.loss = loss


class Retrier:
    def __init__(self, times):
        self.times = times
        self.retries = 0
        self.last_error = None

    def __call__(self, fn, scales):
        for scale in scales[:self.times]:
            try:
                return fn(scale)
            except Unstable as err:
                self.last_error = err
                self.retries += 1
        return None
