import torch


class Hook:
    def before_backward(self, engine):
        pass

    def after_backward(self, engine):
        pass

    def after_step(self, engine):
        pass


class LossPrinter(Hook):
    def __init__(self, every):
        self.every = every

    def after_step(self, engine):
        if engine.step % self.every == 0:
            print(f"step {engine.step}: {engine.loss.item():.4f}")


class GradClip(Hook):
    def __init__(self, limit):
        self.limit = limit

    def after_backward(self, engine):
        torch.nn.utils.clip_grad_norm_(engine.encoder.parameters(), self.limit)


class RefreshStatistics(Hook):
    def __init__(self, start, every):
        self.start, self.every = start, every

    def before_backward(self, engine):
        if engine.step >= self.start and engine.step % self.every == 0:
            engine.stats.update(engine.z)  # <- culprit
