import copy
import math


class Callback:
    def on_step(self, trainer, loss): ...
    def on_epoch(self, trainer, val_loss): ...


class History(Callback):
    def __init__(self):
        self.train, self.val = [], []

    def on_step(self, trainer, loss):
        self.train.append(loss)

    def on_epoch(self, trainer, val_loss):
        self.val.append(val_loss)
        recent = self.train[-50:]
        print(f"epoch {trainer.epoch} train {sum(recent) / len(recent):.3f} val {val_loss:.3f}")


class BestKeeper(Callback):
    ppl, weights = float("inf"), None

    def on_epoch(self, trainer, val_loss):
        if math.exp(val_loss) < self.ppl:
            self.ppl = math.exp(val_loss)
            self.weights = copy.deepcopy(trainer.model.state_dict())


class PlateauDecay(Callback):
    def __init__(self, opt, patience):
        from torch.optim.lr_scheduler import ReduceLROnPlateau
        self.sched = ReduceLROnPlateau(opt, factor=0.5, patience=patience)

    def on_epoch(self, trainer, val_loss):
        self.sched.step(val_loss)
