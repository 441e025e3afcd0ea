import torch.nn as nn


class Recurrent(nn.Module):
    """Base for nets with state between windows.

    Subclasses declare what they carry in `carried`; `cut` is called by the
    session before each window (truncated BPTT).
    """

    carried = ("h",)  # <- culprit

    def reset(self):
        raise NotImplementedError

    def cut(self):
        for name in self.carried:  # <- culprit
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, value.detach())
