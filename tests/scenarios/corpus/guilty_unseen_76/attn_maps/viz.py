from collections import deque

from model import AttentionProbs


class AttentionSnapshots:
    """Grey-scale pictures of the attention of the first sample, taken every so many steps."""

    def __init__(self, model, every=10, keep=12):
        self.every = every
        self.step = 0
        self.frames = deque(maxlen=keep)
        self.handles = [
            m.register_forward_hook(self._hook) for m in model.modules() if isinstance(m, AttentionProbs)
        ]

    def _to_grey(self, maps):
        lo, hi = maps.min(), maps.max()
        maps -= lo  # <- culprit
        maps /= (hi - lo).clamp(min=1e-6)  # <- culprit
        return (255 * maps).byte().tolist()

    def _hook(self, module, inputs, out):
        if self.step == 0 or self.step % self.every:
            return
        self.frames.append(self._to_grey(out.detach()[0]))  # <- culprit

    def close(self):
        for h in self.handles:
            h.remove()
