import copy
from collections import deque

import torch


class Callback:
    def on_batch_end(self, outputs):
        pass

    def on_epoch_end(self, epoch, score, shadow):
        pass


class CallbackList(Callback):
    def __init__(self, cbs):
        self.cbs = cbs

    def on_batch_end(self, outputs):
        for c in self.cbs:
            c.on_batch_end(outputs)

    def on_epoch_end(self, epoch, score, shadow):
        for c in self.cbs:
            c.on_epoch_end(epoch, score, shadow)


class WindowLogger(Callback):
    def __init__(self, window):
        self.losses, self.logits = deque(maxlen=window), []

    def on_batch_end(self, outputs):
        self.losses.append(outputs["loss"].detach())
        self.logits.append(outputs["logits"])

    def on_epoch_end(self, epoch, score, shadow):
        spread = torch.cat(self.logits).std().item()
        print(f"epoch {epoch} loss {torch.stack(list(self.losses)).mean():.4f} spread {spread:.2f} acc {score:.3f}")
        self.logits.clear()


class BestKeeper(Callback):
    def __init__(self):
        self.score, self.epoch, self.state = -1.0, None, None

    def on_epoch_end(self, epoch, score, shadow):
        if score > self.score:
            self.score, self.epoch, self.state = score, epoch, copy.deepcopy(shadow.state_dict())
