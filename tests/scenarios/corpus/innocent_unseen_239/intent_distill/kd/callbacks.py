import copy

import torch


class Callback:
    def on_batch_end(self, loop, outputs):
        pass

    def on_epoch_end(self, loop):
        pass


class CallbackList(Callback):
    def __init__(self, *callbacks):
        self.callbacks = callbacks

    def on_batch_end(self, loop, outputs):
        for cb in self.callbacks:
            cb.on_batch_end(loop, outputs)

    def on_epoch_end(self, loop):
        for cb in self.callbacks:
            cb.on_epoch_end(loop)


class EmaTeacher(Callback):
    def __init__(self, student, decay):
        self.decay = decay
        self.net = copy.deepcopy(student).requires_grad_(False)

    @torch.no_grad()
    def on_batch_end(self, loop, outputs):
        for slow, fast in zip(self.net.parameters(), loop.student.parameters()):
            slow.mul_(self.decay).add_(fast, alpha=1 - self.decay)

    def __call__(self, tokens):
        return self.net(tokens)


class EpochReport(Callback):
    def __init__(self):
        self.logits = []
        self.losses = []
        self.epoch = 0

    def on_batch_end(self, loop, outputs):
        self.logits.append(outputs["logits"].detach())
        self.losses.append(outputs["loss"].detach())

    def on_epoch_end(self, loop):
        probs = torch.cat(self.logits).softmax(-1)
        entropy = -(probs * probs.log()).sum(-1).mean()
        mean = torch.stack(self.losses).mean()
        print(f"epoch {self.epoch} loss {mean.item():.4f} entropy {entropy.item():.3f}")
        self.logits.clear()
        self.losses.clear()
        self.epoch += 1
