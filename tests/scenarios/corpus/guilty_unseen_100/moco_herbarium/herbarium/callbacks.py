from .encoders import drag


class Callback:
    def start_batch(self, learner):
        pass

    def after_loss(self, learner):
        pass

    def after_update(self, learner):
        pass


class MomentumUpdate(Callback):
    def __init__(self, m):
        self.m = m

    def after_update(self, learner):
        drag(learner.key_net, learner.net, self.m)


class QueueGate(Callback):
    def __init__(self, start):
        self.start = start

    def start_batch(self, learner):
        learner.queue.active = learner.it >= self.start


class KeyWriter(Callback):
    def after_loss(self, learner):
        learner.queue.push(learner.k)  # <- culprit


class LossPrinter(Callback):
    def __init__(self, every):
        self.every, self.seen = every, []

    def after_update(self, learner):
        self.seen.append(learner.loss.item())
        if learner.it % self.every == 0:
            print(f"{learner.it:4d}: {self.seen[-1]:.3f}")
