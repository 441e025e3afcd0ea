class Callback:
    def before_epoch(self, run):
        pass

    def after_update(self, run, loss):
        pass

    def after_epoch(self, run):
        pass


class DropCache(Callback):
    def __init__(self, mixing):
        self.mixing = mixing

    def after_update(self, run, loss):
        self.mixing.invalidate()


class EpochLoss(Callback):
    def __init__(self):
        self.current = []
        self.epochs = []

    def before_epoch(self, run):
        self.current = []

    def after_update(self, run, loss):
        self.current.append(loss.detach())

    def after_epoch(self, run):
        self.epochs.append(float(sum(self.current) / len(self.current)))
        print(f"epoch {len(self.epochs)}: {self.epochs[-1]:.5f}")
