import copy

import torch


class Callback:
    def on_batch_end(self, trainer, loss, out, y): ...
    def on_epoch_end(self, trainer, logs): ...
    def on_fit_end(self, trainer): ...


class EmaTeacher(Callback):
    def __init__(self, model, decay):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    def on_batch_end(self, trainer, loss, out, y):
        state = trainer.model.state_dict()
        with torch.no_grad():
            for k, v in self.shadow.state_dict().items():
                v.mul_(self.decay).add_(state[k], alpha=1 - self.decay)


class LossCurve(Callback):
    def __init__(self):
        self.curve, self.confidence = [], []

    def on_batch_end(self, trainer, loss, out, y):
        self.curve.append(loss.detach())
        self.confidence.append(out.detach().softmax(1).amax(1).mean())

    def on_epoch_end(self, trainer, logs):
        n = trainer.batches_per_epoch
        logs["loss"] = torch.stack(self.curve[-n:]).mean().item()
        logs["conf"] = torch.stack(self.confidence[-n:]).mean().item()


class BestWeights(Callback):
    def __init__(self):
        self.best, self.state = float("-inf"), None

    def on_epoch_end(self, trainer, logs):
        if logs["val_acc"] > self.best:
            self.best = logs["val_acc"]
            self.state = copy.deepcopy(trainer.model.state_dict())

    def on_fit_end(self, trainer):
        trainer.model.load_state_dict(self.state)
        print(f"restored weights with val_acc {self.best:.3f}")


class EarlyStopping(Callback):
    def __init__(self, patience):
        self.patience, self.bad, self.best = patience, 0, float("inf")

    def on_epoch_end(self, trainer, logs):
        if logs["val_loss"] < self.best - 1e-4:
            self.best, self.bad = logs["val_loss"], 0
        else:
            self.bad += 1
            trainer.should_stop = self.bad >= self.patience


class Printer(Callback):
    def on_epoch_end(self, trainer, logs):
        print(f"epoch {trainer.epoch} " + " ".join(f"{k}={v:.3f}" for k, v in logs.items()))
