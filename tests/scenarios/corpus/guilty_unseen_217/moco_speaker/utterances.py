import torch


class UtterancePairs:
    def __init__(self, speakers, frames, mels):
        self.voice = torch.randn(speakers, 1, mels)
        self.frames, self.mels = frames, mels

    def _crop(self, ids):
        return self.voice[ids] + 0.6 * torch.randn(len(ids), self.frames, self.mels)

    def batch(self, n):
        ids = torch.randperm(len(self.voice))[:n]
        return self._crop(ids), self._crop(ids)
