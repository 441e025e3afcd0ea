class TrainerCallback:
    def on_log(self, args, state, logs):
        pass

    def on_epoch_end(self, args, state, metrics):
        pass


class PrinterCallback(TrainerCallback):
    def on_log(self, args, state, logs):
        print({k: round(v, 4) for k, v in logs.items()})


class EarlyStoppingCallback(TrainerCallback):
    def __init__(self, patience=3):
        self.patience, self.best, self.bad = patience, None, 0

    def on_epoch_end(self, args, state, metrics):
        if self.best is None or metrics["eval_loss"] < self.best:
            self.best, self.bad = metrics["eval_loss"], 0
        else:
            self.bad += 1
        if self.bad >= self.patience:
            state.should_stop = True
