import torch


class Accumulator:
    """Sums the losses of ``every`` micro-batches and walks their joint graph once."""

    def __init__(self, model, opt, every):
        self.model, self.opt, self.every = model, opt, every
        self.pending = {}
        self.count = 0

    def add(self, parts):
        for k, v in parts.items():
            self.pending[k] = self.pending.get(k, 0.0) + v / self.every
        self.count += 1
        if self.count % self.every:
            return None
        joint = sum(self.pending.values())
        self.opt.zero_grad()
        joint.backward()
        torch.nn.utils.clip_grad_value_(self.model.parameters(), 1.0)
        self.opt.step()
        report = {k: v.item() for k, v in self.pending.items()}
        self.pending.clear()
        return report
