import math

from torch.nn.functional import cross_entropy


class Truncated:
    """Collects losses over `window` chords, then one update, then cuts the memory."""

    def __init__(self, model, opt, window):
        self.model, self.opt, self.window = model, opt, window
        self.pending = []
        self.history = []

    def run(self, pairs):
        for chord, following in pairs:
            self.pending.append(cross_entropy(self.model(chord), following))
            if len(self.pending) == self.window:
                yield self.flush()

    def flush(self):
        loss = sum(self.pending) / len(self.pending)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pending.clear()
        self.model.cut()
        bits = loss.item() / math.log(2)
        self.history.append((len(self.history), bits))
        return bits

    def recent(self, n=40):
        tail = [b for _, b in self.history[-n:]]
        return sum(tail) / len(tail)
