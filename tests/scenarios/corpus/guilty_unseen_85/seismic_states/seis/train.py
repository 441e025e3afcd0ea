import torch
import torch.nn.functional as F
from torch.optim import Optimizer


class PlainSGD(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data.add_(p.grad.data.clamp(-1, 1), alpha=-group["lr"])


class Session:
    def __init__(self, model, optimizer, window):
        self.model = model
        self.optimizer = optimizer
        self.window = window

    def run(self, stream, max_windows):
        model = self.model
        model.reset(stream.x.shape[1])
        for n, (frames, labels) in enumerate(stream.windows(self.window)):
            if n == max_windows:
                return
            model.cut()
            logits = model(frames)
            loss = F.binary_cross_entropy_with_logits(
                logits, labels, pos_weight=torch.tensor(2.0))
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            self.optimizer.step()
            yield loss.item()
