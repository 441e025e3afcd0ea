from contextlib import contextmanager

from torch import nn


class Recurrent(nn.Module):
    """Base of models that carry a hidden state from call to call."""

    def __init__(self):
        super().__init__()
        self._hidden = None

    @property
    def hidden(self):
        return self._hidden

    @hidden.setter
    def hidden(self, value):
        self._hidden = value

    def initial(self, batch):
        raise NotImplementedError

    def advance(self, x, hidden):
        raise NotImplementedError

    def forward(self, x):
        if self.hidden is None:
            self.hidden = self.initial(len(x))
        out, self.hidden = self.advance(x, self.hidden)
        return out

    def forget_past(self):
        if self.hidden is not None:
            self.hidden = self.hidden.detach()

    @contextmanager
    def remembering(self):
        """Leave the state as it was if the block fails."""
        saved = self.hidden
        try:
            yield self
        except Exception:
            self.hidden = saved
            raise
