class Extension:
    def before_run(self, kernel):
        pass

    def after_update(self, kernel, report):
        pass


class Kernel:
    def __init__(self, system, optimizer, extensions):
        self.system = system
        self.optimizer = optimizer
        self.extensions = extensions
        self.tick = 0
        self.last_report = None

    def run(self, feed, ticks):
        for extension in self.extensions:
            extension.before_run(self)
        for self.tick, batch in zip(range(ticks), feed):
            self.last_report = self._update(batch)
            for extension in self.extensions:
                extension.after_update(self, self.last_report)
            self.last_report = None

    def _update(self, batch):
        report = self.system.update(batch)
        self.optimizer.zero_grad()
        report["loss"].backward()
        self.optimizer.step()
        return report
