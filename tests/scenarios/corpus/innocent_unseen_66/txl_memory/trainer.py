import torch.nn.functional as F


class WindowTrainer:
    def __init__(self, model, opt, window):
        self.model, self.opt, self.window = model, opt, window
        self.memory = None
        self.history = []

    def memory_norm(self):
        return sum(m.detach().norm().item() for m in self.memory)

    def run_window(self, stream):
        pending = []
        for _ in range(self.window):
            x, y = stream.segment()
            if self.memory is None:
                self.memory = self.model.empty_memory(len(x))
            logits, self.memory = self.model(x, self.memory)
            pending.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
        total = sum(pending) / len(pending)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        # the last segment's memory opens the next window
        self.memory = [m.detach() for m in self.memory]
        self.history.append(total.item() / 0.6931)
        return total.item()
