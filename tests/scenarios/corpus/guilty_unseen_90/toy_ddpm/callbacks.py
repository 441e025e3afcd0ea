import time

from meters import BinnedMeter


class Callback:
    def on_step(self, **kw):
        pass

    def on_end(self):
        pass


class CallbackList:
    def __init__(self, items):
        self.items = items

    def fire(self, event, **kw):
        for cb in self.items:
            getattr(cb, event)(**kw)


class Throughput(Callback):
    def __init__(self):
        self.t0, self.samples = time.time(), 0

    def on_step(self, batch, **kw):
        self.samples += batch

    def on_end(self):
        print(f"{self.samples / (time.time() - self.t0):.0f} samples/s")


class LossByTimestep(Callback):
    def __init__(self, timesteps, n_bins, every):
        self.meters = BinnedMeter(timesteps, n_bins)
        self.every = every

    def on_step(self, it, t, per_sample, **kw):
        self.meters.update(t, per_sample)  # <- culprit
        if it % self.every == 0:
            print(f"[{it}] {self.meters}")

    def on_end(self):
        print("loss by t:", self.meters)
