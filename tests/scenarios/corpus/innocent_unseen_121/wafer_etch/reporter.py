class BundledReporter:
    def __init__(self, bundle):
        self.bundle = bundle
        self.queue = []
        self.written = 0
        self.last = ""

    def later(self, template, lot, *getters):
        self.queue.append((template, lot, getters))
        if len(self.queue) >= self.bundle:
            self.flush()

    def flush(self):
        for template, lot, getters in self.queue:
            self.last = template % (lot, *(g().item() for g in getters))
            self.written += 1
        self.queue.clear()
