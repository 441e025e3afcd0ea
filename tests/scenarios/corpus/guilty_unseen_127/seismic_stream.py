# gradwatch-corpus: kind=second-backward
# holder: self.carry | picker.carry
# first-bad: 1
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class WavePicker(nn.Module):
    """P-wave arrival probability for each sample of a station's continuous stream."""

    def __init__(self, channels=3, width=12):
        super().__init__()
        self.cell = nn.GRUCell(channels, width)
        self.out = nn.Linear(width, 1)
        self.register_buffer("rest", torch.zeros(width))
        self.carry = None

    def begin(self, stations):
        self.carry = self.rest.expand(stations, -1)

    def forward(self, packet):
        probs = []
        for sample in packet.unbind(1):
            self.carry = self.cell(sample, self.carry)  # <- culprit
            probs.append(self.out(self.carry))
        return torch.cat(probs, 1)


def telemetry(stations, packets, length=15):
    for _ in range(packets):
        noise = torch.randn(stations, length, 3) * 0.2
        onset = torch.randint(0, length, (stations,))
        after = (torch.arange(length)[None] >= onset[:, None]).float()
        yield noise + after[..., None] * torch.randn(stations, length, 3), after


def fit(picker, opt, days=3):
    for day in range(days):
        picker.begin(stations=4)
        for packet, arrived in telemetry(4, packets=40):
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(picker(packet), arrived)
            loss.backward()
            opt.step()
        print("day", day, loss.item())


picker = WavePicker()
fit(picker, torch.optim.Adam(picker.parameters(), lr=1e-2))
