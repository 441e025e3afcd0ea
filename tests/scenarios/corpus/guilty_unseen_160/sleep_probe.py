# gradwatch-corpus: kind=graph-chain
# holder: state | smoother.gi_frame.f_locals["state"] | smoother | self.smoother
# first-bad: 1
# notice: 5
"""Linear probe for sleep stages on a frozen encoder, with predictions smoothed over the night."""
import torch
from torch import nn

torch.manual_seed(29)
torch.set_num_threads(1)

SAMPLES, CHAINS, STAGES, STEPS = 120, 64, 5, 150


def smoothing(rate):
    """Coroutine: takes raw logits, gives smoothed ones."""
    logits = yield
    state = logits
    while True:
        logits = yield state
        state = torch.lerp(state, logits, rate)  # <- culprit


class FrozenEncoder(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 9, stride=3), nn.ReLU(), nn.Conv1d(16, width, 7, stride=3), nn.ReLU()
        )
        self.requires_grad_(False)

    def forward(self, wave):
        return self.net(wave.unsqueeze(1)).mean(-1)


class Nights:
    """Parallel recordings that change their stage now and then."""

    def __init__(self):
        self.stage = torch.randint(0, STAGES, (CHAINS,))
        self.t = torch.arange(SAMPLES) / SAMPLES

    def __iter__(self):
        return self

    def __next__(self):
        move = torch.rand(CHAINS) < 0.05
        self.stage = torch.where(move, torch.randint(0, STAGES, (CHAINS,)), self.stage)
        freq = 2.0 + 4.0 * self.stage[:, None]
        wave = torch.sin(6.28 * (freq * self.t + torch.rand(CHAINS, 1)))
        return wave + 0.3 * torch.randn(CHAINS, SAMPLES), self.stage


class Probe:
    def __init__(self):
        self.encoder = FrozenEncoder()
        self.head = nn.Linear(48, STAGES)
        self.opt = torch.optim.SGD(self.head.parameters(), lr=0.5, momentum=0.8)
        self.smoother = smoothing(0.4)
        next(self.smoother)

    def predict(self, wave):
        return self.smoother.send(self.head(self.encoder(wave)))

    def update(self, wave, stage):
        smooth = self.predict(wave)
        loss = nn.functional.cross_entropy(smooth, stage)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item(), (smooth.argmax(1) == stage).float().mean().item()


def main():
    probe = Probe()
    for step, (wave, stage) in enumerate(Nights()):
        if step >= STEPS:
            break
        loss, acc = probe.update(wave, stage)
        if step % 30 == 0:
            print(f"epoch {step:3d} loss {loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
