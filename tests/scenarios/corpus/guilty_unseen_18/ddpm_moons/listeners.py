import contextlib

import torch


class EmaWeights:
    def __init__(self, net, decay):
        self.net, self.decay = net, decay
        self.shadow = {k: v.clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def __call__(self, event):
        for k, v in self.net.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.decay)

    @contextlib.contextmanager
    def swapped_in(self):
        kept = {k: v.clone() for k, v in self.net.state_dict().items()}
        self.net.load_state_dict(self.shadow)
        try:
            yield
        finally:
            self.net.load_state_dict(kept)


class LossMeter:
    def __init__(self, every=100):
        self.every, self.mean, self.n = every, 0.0, 0

    def __call__(self, event):
        self.n += 1
        self.mean += (event.loss.item() - self.mean) / self.n
        if self.n % self.every == 0:
            print(f"  meter: {self.n} steps, mean loss {self.mean:.4f}")


class Progress:
    def __call__(self, event):
        print(f"epoch {event.epoch} done at step {event.step}")
