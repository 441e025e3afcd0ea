# gradwatch-corpus: kind=graph-held
# holder: self.incidents | log.incidents | incidents | shift.log.incidents | self.log.incidents | err | err.__traceback__ | incident.__traceback__ | error | fit.log.incidents
# first-bad: 3
# notice: 15
"""Shell temperature of a cement kiln from the burner signals.  Line C loses its pyrometers now and then."""
import math
from dataclasses import dataclass, field

import torch
from torch import nn

LINES = "ABC"


class SensorDropout(RuntimeError):
    def __init__(self, line, share):
        super().__init__(f"line {line}: {share:.0%} of the pyrometers silent")
        self.line, self.share = line, share


@dataclass
class Shift:
    line: str
    burner: torch.Tensor      # (rows, 7)
    shell: torch.Tensor       # (rows, 12), nan where a pyrometer was silent


@dataclass
class ShiftLog:
    """What the foreman wants to read on Monday."""
    incidents: list = field(default_factory=list)
    per_line: dict = field(default_factory=dict)

    def note(self, error):
        self.incidents.append(error)  # <- culprit
        self.per_line[error.line] = self.per_line.get(error.line, 0) + 1

    def worst(self):
        return max(self.incidents, key=lambda error: error.share, default=None)


def make_shift(number, gen, rows=32):
    line = LINES[number % len(LINES)]
    burner = torch.randn(rows, 7, generator=gen)
    along = torch.linspace(0, 1, 12)
    hot = burner[:, :1] + 0.4 * burner[:, 1:2] * torch.sin(math.pi * along)
    shell = hot * torch.exp(-((along - 0.4 - 0.05 * burner[:, 2:3]) / 0.3) ** 2)
    shell = shell + 0.05 * torch.randn(rows, 12, generator=gen)
    if line == "C":
        silent = torch.rand(rows, 12, generator=gen) < 0.08
        silent[0, 0] = True
        shell = shell.masked_fill(silent, float("nan"))
    return Shift(line, burner, shell)


class ShellProfile(nn.Module):
    def __init__(self, hidden=36):
        super().__init__()
        self.lines = nn.ParameterDict({name: nn.Parameter(torch.zeros(hidden)) for name in LINES})
        self.inp = nn.Linear(7, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 12)

    def forward(self, shift):
        z = torch.tanh(self.inp(shift.burner) + self.lines[shift.line])
        z = z + torch.tanh(self.mid(z))
        return self.out(z)


class KilnFit:
    def __init__(self, profile, lr=4e-3):
        self.profile = profile
        self.log = ShiftLog()
        self.optimizer = torch.optim.NAdam(profile.parameters(), lr=lr)

    def strict_error(self, shift):
        predicted = self.profile(shift)
        silent = torch.isnan(shift.shell)
        if silent.any():
            raise SensorDropout(shift.line, silent.float().mean().item())
        return nn.functional.mse_loss(predicted, shift.shell)

    def partial_error(self, shift):
        there = ~torch.isnan(shift.shell)
        predicted = self.profile(shift)
        return (predicted[there] - shift.shell[there]).pow(2).mean()

    def error(self, shift):
        try:
            return self.strict_error(shift)
        except SensorDropout as err:
            self.log.note(err)  # <- culprit
            return self.partial_error(shift)

    def work(self, shift):
        self.optimizer.zero_grad()
        loss = self.error(shift)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(1871)
    gen = torch.Generator().manual_seed(1871)
    fit = KilnFit(ShellProfile())
    smooth = None
    for number in range(300):
        loss = fit.work(make_shift(number, gen))
        smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
        if number % 75 == 74:
            print(f"shift {number + 1}: error {smooth:.4f}, dropouts so far {fit.log.per_line}")
    print("worst:", fit.log.worst())


if __name__ == "__main__":
    main()
