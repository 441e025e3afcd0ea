# gradwatch-corpus: kind=graph-chain
# holder: self.h | state.h | stream.h | self.state.h | self.stream.h | session.stream.h | h
# first-bad: 1
"""Wake-word detector that listens to an endless stream, frame after frame, the way the device does.
Uses our own SGD (the one that was ported to the DSP), so that both sides round alike."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_BANDS = 16
HIDDEN = 24
LANES = 8


class DspSGD:
    """SGD with momentum, written the way the firmware does it."""

    def __init__(self, params, lr, momentum=0.9, max_norm=1.0):
        self.params = [p for p in params]
        self.velocity = [torch.zeros_like(p.data) for p in self.params]
        self.lr, self.momentum, self.max_norm = lr, momentum, max_norm

    def zero(self):
        for p in self.params:
            p.grad = None

    def apply(self):
        total = sum(float(p.grad.data.pow(2).sum()) for p in self.params if p.grad is not None) ** 0.5
        scale = min(1.0, self.max_norm / (total + 1e-6))
        for p, v in zip(self.params, self.velocity):
            if p.grad is None:
                continue
            v.mul_(self.momentum).add_(p.grad.data, alpha=scale)
            p.data.add_(v, alpha=-self.lr)


class Microphone:
    """LANES parallel streams; now and then the wake word's 6-frame pattern begins in one of them."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.word = torch.randn(6, N_BANDS, generator=self.g) * 1.5
        self.at = torch.full((LANES,), -1)

    def frames(self):
        while True:
            starting = (self.at < 0) & (torch.rand(LANES, generator=self.g) < 0.12)
            self.at[starting] = 0
            x = torch.randn(LANES, N_BANDS, generator=self.g) * 0.7
            active = self.at >= 0
            x[active] += self.word[self.at[active]]
            y = (self.at >= 3).float()
            self.at[active] += 1
            self.at[self.at == len(self.word)] = -1
            yield x, y


class StreamState:
    """What the detector remembers between two frames."""

    def __init__(self, lanes, size):
        self.lanes, self.size = lanes, size
        self.reset()

    def reset(self):
        self.h = torch.zeros(self.lanes, self.size)
        self.frames = 0

    def advance(self, h):
        h.detach()  # <- culprit
        self.h = h  # <- culprit
        self.frames += 1


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Linear(N_BANDS, HIDDEN)
        self.cell = nn.RNNCell(HIDDEN, HIDDEN)
        self.score = nn.Linear(HIDDEN, 1)

    def forward(self, x, h):
        h = self.cell(torch.relu(self.front(x)), h)
        return self.score(h).squeeze(-1), h


class Session:
    def __init__(self, seed=55):
        torch.manual_seed(seed)
        self.net = Detector()
        self.opt = DspSGD(self.net.parameters(), lr=0.05)
        self.stream = StreamState(LANES, HIDDEN)
        self.mic = Microphone(seed + 1)

    def learn_frame(self, x, y):
        logit, h = self.net(x, self.stream.h)
        loss = F.binary_cross_entropy_with_logits(logit, y, pos_weight=torch.tensor(3.0))
        self.opt.zero()
        loss.backward(retain_graph=True)
        self.opt.apply()
        self.stream.advance(h)
        return loss.item()

    def run(self, n_frames=220):
        avg = 0.0
        for i, (x, y) in zip(range(n_frames), self.mic.frames()):
            avg = 0.97 * avg + 0.03 * self.learn_frame(x, y)
            if (i + 1) % 55 == 0:
                print(f"frame {i + 1}: avg loss {avg / (1 - 0.97 ** (i + 1)):.4f}")


if __name__ == "__main__":
    Session().run()
