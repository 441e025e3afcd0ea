from collections import deque


class Floats(list):
    """A list that takes one-element tensors and keeps the number."""

    def append(self, value):
        super().append(value.item())


class LossRecord:
    def __init__(self):
        self.loss = Floats()

    def on_chunk(self, loop, index, loss, residual):
        self.loss.append(loss)


class RegretWindow:
    """Residuals of the last few chunks, for the moving bias of each machine."""

    def __init__(self, size):
        self.recent = deque(maxlen=size)
        self.bias = None

    def on_chunk(self, loop, index, loss, residual):
        self.recent.append(residual.detach().mean(0))
        total = 0
        for r in self.recent:
            total = total + r
        self.bias = total / len(self.recent)

    def on_end(self, loop):
        print("bias per machine:", [round(v, 2) for v in self.bias.tolist()])


class Console:
    def __init__(self, every):
        self.every = every
        self.sum = 0.0

    def on_chunk(self, loop, index, loss, residual):
        self.sum += loss.item()
        if (index + 1) % self.every == 0:
            print(f"chunk {index + 1:4d}  loss {self.sum / self.every:.4f}")
            self.sum = 0.0
