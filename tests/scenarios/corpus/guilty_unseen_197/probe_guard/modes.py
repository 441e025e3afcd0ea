import torch


class EvalScope:
    def __init__(self, *modules):
        self.modules = modules

    def __enter__(self):
        self.saved = [m.training for m in self.modules]
        for m in self.modules:
            m.eval()
        torch.set_grad_enabled(False)  # <- culprit
        return self

    def __exit__(self, *exc):
        for m, flag in zip(self.modules, self.saved):
            m.train(flag)
        return False
