from torch import nn

from guard import ScanRejected, check_scan


def build(d):
    return nn.Sequential(nn.Linear(d, 24), nn.GELU(), nn.Linear(24, 1), nn.Flatten(0))


class StepRunner:
    def __init__(self, model, opt, quarantine):
        self.model, self.opt, self.quarantine = model, opt, quarantine

    def __call__(self, index, signal, depth):
        try:
            return self._train(signal, depth)
        except ScanRejected as exc:
            self.quarantine.admit(index, exc)  # <- culprit
            return None

    def _train(self, signal, depth):
        residual = self.model(signal) - depth
        check_scan(residual)
        loss = residual.square().mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()
