class Callback:
    def on_step(self, step, **info):
        raise NotImplementedError


class CallbackList(Callback):
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)

    def on_step(self, step, **info):
        for callback in self.callbacks:
            callback.on_step(step, **info)


class Accuracy(Callback):
    def __init__(self, momentum=0.95):
        self.momentum, self.value = momentum, 0.5

    def on_step(self, step, *, logits, label, **_):
        hit = (logits.argmax(1) == label).float().mean().item()
        self.value = self.momentum * self.value + (1 - self.momentum) * hit


class PrintEvery(Callback):
    def __init__(self, every, accuracy):
        self.every, self.accuracy = every, accuracy

    def on_step(self, step, *, loss, **_):
        if (step + 1) % self.every == 0:
            print(f"step {step + 1}: loss {loss:.4f}, accuracy {self.accuracy.value:.3f}")
