import torch.nn.functional as F


class Session:
    """What the device keeps between two chunks of audio."""

    def __init__(self):
        self.carry = None
        self.chunks = 0

    def resume(self, net, batch):
        if self.carry is None:
            self.carry = net.blank(batch)
        return self.carry  # <- culprit

    def suspend(self, state):
        self.carry = state  # <- culprit
        self.chunks += 1


class StreamLoop:
    def __init__(self, net, source, optim):
        self.net = net
        self.source = source
        self.optim = optim
        self.session = Session()
        self.hits = 0
        self.total = 0

    def accuracy(self):
        return self.hits / max(1, self.total)

    def process(self, mels, labels):
        state = self.session.resume(self.net, mels.shape[0])
        logits, state = self.net(mels, state)
        loss = F.binary_cross_entropy_with_logits(logits, labels)
        self.optim.zero_grad()
        loss.backward(retain_graph=True)
        self.optim.step()
        self.session.suspend(state)  # <- culprit
        self.hits += int(((logits > 0) == (labels > 0.5)).sum())
        self.total += labels.numel()
        return loss.item()

    def run(self, chunks):
        for index in range(chunks):
            mels, labels = next(self.source)
            value = self.process(mels, labels)
            if index % 20 == 0:
                print(f"chunk {index} bce {value:.4f} acc {self.accuracy():.3f}")
