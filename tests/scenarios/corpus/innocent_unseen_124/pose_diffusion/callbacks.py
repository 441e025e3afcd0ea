import torch


class ShadowWeights:
    def __init__(self, decay):
        self.decay, self.shadow = decay, None

    @torch.no_grad()
    def __call__(self, eng):
        now = eng.net.state_dict()
        if self.shadow is None:
            self.shadow = {k: v.clone() for k, v in now.items()}
        for k, v in now.items():
            self.shadow[k].lerp_(v, 1 - self.decay)


class BestSoFar:
    """Remembers the best batch's loss and prediction."""

    def __init__(self):
        self.loss = self.pred = None

    def __call__(self, eng):
        if self.loss is None or eng.loss < self.loss:
            self.loss, self.pred = eng.loss, eng.pred


class Speak:
    def __init__(self, every):
        self.every = every

    def __call__(self, eng):
        if eng.step % self.every == 0:
            print(eng.step, f"{eng.loss.item():.4f}", f"{eng.callbacks[1].loss.item():.4f}")
