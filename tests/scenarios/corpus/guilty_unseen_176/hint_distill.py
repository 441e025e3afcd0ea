# gradwatch-corpus: kind=graph-held
# holder: self.maps | student_tap.maps
# first-bad: 1
"""FitNets-style hint distillation on small synthetic images."""
from __future__ import annotations

from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_net(width: int, classes: int = 6) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(1, width, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(2 * width, classes),
    )


class FeatureTap:
    """Collects outputs of chosen layers through forward hooks."""

    def __init__(self, net: nn.Sequential, layers: tuple[int, ...]):
        self.maps: dict[int, dict[int, torch.Tensor]] = defaultdict(dict)
        self.calls = defaultdict(int)
        self.handles = [net[i].register_forward_hook(self._hook(i)) for i in layers]

    def _hook(self, layer: int):
        def capture(_module, _inputs, output):
            self.maps[layer][self.calls[layer]] = output  # <- culprit
            self.calls[layer] += 1

        return capture

    def latest(self, layer: int) -> torch.Tensor:
        return self.maps[layer][self.calls[layer] - 1]

    def close(self) -> None:
        for handle in self.handles:
            handle.remove()


class TeacherFeatures:
    def __init__(self, net: nn.Sequential, layer: int):
        self.stem, self.head = net[: layer + 1], net[layer + 1 :]

    @torch.no_grad()
    def __call__(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        feat = self.stem(x)
        return feat, self.head(feat)


def kd_loss(student: torch.Tensor, teacher: torch.Tensor, tau: float) -> torch.Tensor:
    return tau**2 * F.kl_div(
        F.log_softmax(student / tau, -1), F.softmax(teacher / tau, -1), reduction="batchmean"
    )


def main() -> None:
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(2)
    protos = torch.randn(6, 1, 12, 12, generator=gen)
    teacher = TeacherFeatures(conv_net(16).eval().requires_grad_(False), layer=3)
    student = conv_net(6)
    regressor = nn.Conv2d(12, 32, 1)
    student_tap = FeatureTap(student, layers=(3,))
    params = [*student.parameters(), *regressor.parameters()]
    opt = torch.optim.Adam(params, lr=2e-3)

    for it in range(450):
        y = torch.randint(6, (16,), generator=gen)
        x = protos[y] + 0.4 * torch.randn(16, 1, 12, 12, generator=gen)
        hint, soft = teacher(x)
        logits = student(x)
        guided = regressor(student_tap.latest(3))
        loss = F.cross_entropy(logits, y) + 0.5 * kd_loss(logits, soft, 3.0) + F.mse_loss(guided, hint)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 90 == 0:
            acc = (logits.argmax(-1) == y).float().mean()
            print(f"{it:03d} loss {loss.item():.3f} acc {acc.item():.2f}")
    student_tap.close()


if __name__ == "__main__":
    main()
