import torch


class Carry:
    """Recurrent memory of all lanes between sub-frames and between updates."""

    __slots__ = ("lanes", "_mem")

    def __init__(self, lanes):
        self.lanes = lanes
        self._mem = None

    def open(self, net, fresh):
        begin = net.start.expand(self.lanes, -1)
        if self._mem is not None:
            h = torch.where(fresh[:, None], begin, self._mem)
        else:
            h = begin
        return h

    def close(self, h):
        self._mem = h

    def cut(self):
        self._mem = self._mem.detach()
