import copy


class Callback:
    def on_batch_end(self, step, logs):
        pass

    def on_epoch_end(self, epoch, engine, scores):
        pass


class History(Callback):
    """Every batch's numbers, for the plots."""

    def __init__(self):
        self.rows = []

    def on_batch_end(self, step, logs):
        self.rows.append({"step": step, **logs})  # <- culprit

    def ends(self, key):
        return self.rows[0][key].item(), self.rows[-1][key].item()


class EpochPrinter(Callback):
    def on_epoch_end(self, epoch, engine, scores):
        print(f"epoch {epoch}  " + "  ".join(f"{k} {v:.3f}" for k, v in scores.items()))


class BestKeeper(Callback):
    def __init__(self):
        self.best, self.weights = -1.0, None

    def on_epoch_end(self, epoch, engine, scores):
        if scores["val_acc"] > self.best:
            self.best = scores["val_acc"]
            self.weights = copy.deepcopy(engine.net.state_dict())
