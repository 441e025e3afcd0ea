import torch


class Carry:
    """Recurrent state between slices. A slice proposes its final state; it only counts once it is committed."""

    def __init__(self, layers, batch, hidden):
        self.shape = (layers, batch, hidden)
        self.state = None
        self._proposed = None
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.shape)
        self._proposed = None

    def propose(self, state):
        self._proposed = state

    def commit(self):
        if self._proposed is not None:
            self.state = self._proposed.detach()
            self._proposed = None
