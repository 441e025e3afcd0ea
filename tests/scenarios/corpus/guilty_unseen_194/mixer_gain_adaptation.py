# gradwatch-corpus: kind=graph-chain
# holder: self.state["gain"] | desk.state["gain"] | self.state[name] | desk.state
# first-bad: 1
import torch
import torch.nn as nn

torch.manual_seed(40)

TRACKS = 12
PHRASE = 30


class MixingDesk(nn.Module):
    """Gains that follow the tracks' levels, at learned rates."""

    def __init__(self, tracks):
        super().__init__()
        self.rate = nn.Parameter(torch.full((tracks,), -2.0))
        self.pan_rate = nn.Parameter(torch.full((tracks,), -2.0))
        self.state = {"gain": torch.ones(tracks), "pan": torch.zeros(tracks)}

    def end_phrase(self):
        state = dict(self.state)  # <- culprit
        for name, value in state.items():
            state[name] = value.detach()  # <- culprit

    def adjust(self, levels, target):
        rates = {"gain": torch.sigmoid(self.rate), "pan": torch.sigmoid(self.pan_rate)}
        with torch.no_grad():
            error = target - levels
            pull = {
                "gain": error - 0.2 * (self.state["gain"] - 1.0),
                "pan": torch.tanh(error.roll(1)) - self.state["pan"],
            }
        for name in self.state:
            self.state[name] = self.state[name] + rates[name] * pull[name]  # <- culprit
        return self.state["gain"], self.state["pan"]


def phrase_levels(i, gen):
    base = torch.sin(torch.arange(TRACKS) * 0.7 + 0.02 * i)
    return 0.6 + 0.2 * base + 0.05 * torch.randn(TRACKS, generator=gen)


def main():
    gen = torch.Generator().manual_seed(41)
    desk = MixingDesk(TRACKS)
    optimizer = torch.optim.SGD(desk.parameters(), lr=0.005)
    average = None

    for bar in range(450):
        levels = phrase_levels(bar, gen)
        target = torch.full((TRACKS,), 0.6)
        gain, pan = desk.adjust(levels, target)
        mix = gain * levels
        loss = (mix - target).pow(2).mean() + 0.1 * (pan - 0.1 * base_pan(bar)).pow(2).mean()

        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(desk.parameters(), 1.0)
        optimizer.step()

        average = loss.item() if average is None else 0.95 * average + 0.05 * loss.item()
        if bar % PHRASE == PHRASE - 1:
            desk.end_phrase()
        if bar % 90 == 89:
            print(f"bar {bar + 1}: {average:.4f}, rate {torch.sigmoid(desk.rate).mean().item():.3f}")


def base_pan(bar):
    side = 1.0 if (bar // PHRASE) % 2 == 0 else -1.0
    return side * torch.linspace(-1, 1, TRACKS)


if __name__ == "__main__":
    main()
