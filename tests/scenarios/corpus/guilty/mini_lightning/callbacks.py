import torch


class Callback:
    def on_fit_start(self, trainer, module):
        pass

    def on_train_batch_end(self, trainer, module, outputs, step):
        pass


class LossCollector(Callback):
    def __init__(self):
        self.outputs = []

    def on_train_batch_end(self, trainer, module, outputs, step):
        self.outputs.append(outputs)  # <- culprit

    def mean(self):
        return torch.stack([o["loss"] for o in self.outputs]).mean().item()


class PrintEvery(Callback):
    def __init__(self, every):
        self.every = every

    def on_train_batch_end(self, trainer, module, outputs, step):
        if step % self.every == 0:
            print(f"[{step}] loss={outputs['loss'].item():.4f}")
