from functools import partial

import torch


class Callbacks:
    closing = []

    def __init__(self, members):
        self.members = members

    @classmethod
    def put_off(cls, call):
        cls.closing.append(call)

    def fire(self, it, loss, za, zb):
        for member in self.members:
            member(it, loss, za, zb)

    def finish(self):
        for call in self.closing:
            call()
        for member in self.members:
            member.close()


class Printer:
    def __init__(self, every):
        self.every = every

    def __call__(self, it, loss, za, zb):
        if (it + 1) % self.every == 0:
            print(f"{it + 1} loss {loss.item():.4f}")

    def close(self):
        print("done")


class Alignment:
    """Mean cosine of matching pairs, computed after training."""

    def __init__(self):
        self.values = []

    def compute(self, it, za, zb):
        with torch.no_grad():
            self.values.append((it, (za * zb).sum(1).mean().item()))

    def __call__(self, it, loss, za, zb):
        if it % 2 == 0:
            Callbacks.put_off(partial(self.compute, it, za, zb))  # <- culprit

    def close(self):
        first, last = self.values[0], self.values[-1]
        print(f"alignment {first[1]:.3f} at {first[0]} -> {last[1]:.3f} at {last[0]}")
