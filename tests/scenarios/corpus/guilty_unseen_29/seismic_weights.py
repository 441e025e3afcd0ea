# gradwatch-corpus: kind=second-backward
# first-bad: 40
"""
Phase picking on synthetic traces.  After the warm-up, hard batches get their
gradient counted more than once ("emphasis").
"""
import torch
import torch.nn as nn


class Picker(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv1d(1, 8, 7, padding=3), nn.ELU(),
            nn.Conv1d(8, 8, 7, padding=3), nn.ELU(),
            nn.Conv1d(8, 1, 1),
        )

    def forward(self, x):
        return super().forward(x).squeeze(1)


class Emphasis:
    """How many times the gradient of a batch counts, by step number."""

    def __init__(self, schedule):
        self.schedule = sorted(schedule.items())

    def __call__(self, step):
        n = 1
        for start, times in self.schedule:
            if step >= start:
                n = times
        return n


def traces(n, length):
    x = 0.2 * torch.randn(n, 1, length)
    onset = torch.randint(10, length - 20, (n,))
    wave = torch.sin(torch.arange(15) * 1.3) * torch.exp(-torch.arange(15) / 6.0)
    for i, o in enumerate(onset.tolist()):
        x[i, 0, o:o + 15] += wave
    return x, onset


def accumulate(loss, times):
    """Adds `times` copies of the gradient of `loss` to the parameters."""
    loss.backward(retain_graph=times > 1)
    for _ in range(times - 1):
        loss.backward()  # <- culprit


settings = {"steps": 120, "batch": 16, "length": 80, "emphasis": {0: 1, 20: 2, 40: 3}}

if __name__ == "__main__":
    torch.manual_seed(6)
    net = Picker()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    emphasis = Emphasis(settings["emphasis"])
    loss_fn = nn.CrossEntropyLoss()
    for step in range(settings["steps"]):
        x, onset = traces(settings["batch"], settings["length"])
        loss = loss_fn(net(x), onset)
        opt.zero_grad(set_to_none=True)
        accumulate(loss, emphasis(step))
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if step % 10 == 0:
            print(step, round(loss.item(), 4))
