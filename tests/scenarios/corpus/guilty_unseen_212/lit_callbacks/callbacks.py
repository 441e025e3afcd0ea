from collections import defaultdict

import torch


class Callback:
    def on_fit_start(self, engine, module):
        pass

    def on_after_backward(self, engine, module):
        pass

    def on_batch_end(self, engine, module, outputs):
        pass

    def on_epoch_end(self, engine, module):
        pass


class BufferedCallback(Callback):
    """Base of callbacks which collect values and reduce them later."""

    def __init__(self):
        self.buffer = defaultdict(list)

    def push(self, key, value):
        self.buffer[key].append(value)  # <- culprit

    def reduce(self, key, chunk):
        vals = self.buffer[key]
        return [torch.stack(vals[i:i + chunk]).mean().item() for i in range(0, len(vals), chunk)]


class MetricCurve(BufferedCallback):
    def __init__(self, keys):
        super().__init__()
        self.keys = keys

    def on_batch_end(self, engine, module, outputs):
        for k in self.keys:
            self.push(k, outputs[k])  # <- culprit

    def summary(self, key):
        return self.reduce(key, 40)


class GradClip(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def on_after_backward(self, engine, module):
        torch.nn.utils.clip_grad_norm_(module.parameters(), self.max_norm)


class ProgressPrinter(Callback):
    def __init__(self, every):
        self.every = every

    def on_batch_end(self, engine, module, outputs):
        if engine.global_step % self.every == 0:
            print(f"[{engine.epoch}:{engine.global_step}] loss {float(outputs['loss'].detach()):.4f}")
