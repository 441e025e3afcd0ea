# gradwatch-corpus: kind=graph-held
# holder: self.past | self.past["rain"] | self.past[task] | weigher.past | weigher.past["rain"]
# first-bad: 1
# notice: 8
import math
from dataclasses import dataclass, field

import torch
from torch import nn, Tensor

torch.set_num_threads(1)
TASKS = ("rain", "wind", "temp")


@dataclass
class DynamicAverage:
    temperature: float = 2.0
    past: dict[str, list[Tensor]] = field(default_factory=lambda: {t: [] for t in TASKS})

    def remember(self, task: str, value: Tensor) -> None:
        self.past[task].append(value)  # <- culprit

    def coefficients(self) -> dict[str, float]:
        if len(self.past[TASKS[0]]) < 2:
            return dict.fromkeys(TASKS, 1.0)
        rate = {t: math.exp(float(h[-1] / (h[-2] + 1e-8)) / self.temperature) for t, h in self.past.items()}
        z = sum(rate.values())
        return {t: len(TASKS) * r / z for t, r in rate.items()}


class Station(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(4, 12, 3, padding=1)
        self.trunk = nn.Linear(12, 16)
        self.heads = nn.ModuleDict({t: nn.Linear(16, 1) for t in TASKS})

    def forward(self, series: Tensor) -> dict[str, Tensor]:
        z = torch.relu(self.trunk(torch.relu(self.conv(series)).mean(-1)))
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


def readings(n: int) -> tuple[Tensor, dict[str, Tensor]]:
    s = torch.randn(n, 4, 9).cumsum(-1) * 0.3
    return s, {"rain": (s[:, 0].mean(-1) > 0).float(), "wind": s[:, 1].std(-1), "temp": s[:, 2, -1]}


def losses(pred: dict[str, Tensor], true: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        "rain": nn.functional.binary_cross_entropy_with_logits(pred["rain"], true["rain"]),
        "wind": nn.functional.l1_loss(pred["wind"], true["wind"]),
        "temp": nn.functional.huber_loss(pred["temp"], true["temp"]),
    }


def run() -> None:
    torch.manual_seed(41)
    net, weigher = Station(), DynamicAverage()
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    for day in range(450):
        x, y = readings(16)
        each = losses(net(x), y)
        w = weigher.coefficients()
        opt.zero_grad()
        sum(w[t] * each[t] for t in TASKS).backward()
        opt.step()
        for t, v in each.items():
            weigher.remember(t, v)  # <- culprit
        if day % 150 == 149:
            print(day, {t: round(v.item(), 3) for t, v in each.items()}, {t: round(c, 2) for t, c in w.items()})


run()
