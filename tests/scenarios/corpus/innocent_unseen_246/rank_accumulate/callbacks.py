import collections


class Callback:
    def after_micro(self, trainer, losses):
        pass

    def after_update(self, trainer):
        pass


class LossWindow(Callback):
    def __init__(self, size):
        self.values = collections.deque(maxlen=size)

    def after_update(self, trainer):
        for loss in trainer.micro_losses:
            self.values.append(loss.detach())

    def mean(self):
        return sum(v.item() for v in self.values) / len(self.values)


class CheckpointInMemory(Callback):
    def __init__(self, every, keep):
        self.every = every
        self.entries = collections.deque(maxlen=keep)

    def after_update(self, trainer):
        if trainer.updates % self.every:
            return
        weights = {}
        for name, tensor in trainer.model.state_dict().items():
            weights[name] = tensor.clone()
        self.entries.append({"update": trainer.updates, "weights": weights})
