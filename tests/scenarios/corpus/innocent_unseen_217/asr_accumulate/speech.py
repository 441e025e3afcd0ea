import torch


class BucketedSpeech:
    def __init__(self, phones, mels, batch):
        self.proto = torch.randn(phones, mels)
        self.batch = batch

    def __iter__(self):
        while True:
            n = int(torch.randint(3, 6, ()))
            ids = torch.randint(0, len(self.proto), (self.batch, n))
            x = self.proto[ids].repeat_interleave(4, dim=1)
            yield x + 0.4 * torch.randn_like(x), ids + 1
