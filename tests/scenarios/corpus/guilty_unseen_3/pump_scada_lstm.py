# gradwatch-corpus: kind=graph-chain
# also: retain-needless
# holder: session.memory | local.memory | session.memory[0]
# first-bad: 10
"""Pump station telemetry: one-step-ahead pressure with a hand written LSTM and hand written SGD."""
import threading

import torch

torch.manual_seed(88)
session = threading.local()
HID, SENSORS = 12, 4

wx = (torch.randn(SENSORS, 4 * HID) * 0.2).requires_grad_()
wh = (torch.randn(HID, 4 * HID) * 0.2).requires_grad_()
bias = torch.zeros(4 * HID, requires_grad=True)
head = (torch.randn(HID, 1) * 0.2).requires_grad_()
everything = [wx, wh, bias, head]


def telemetry(minute, batch=6):
    phase = torch.arange(batch).float() * 0.7
    base = torch.sin(torch.tensor(minute * 0.13) + phase)
    cols = [base, base.roll(1), torch.cos(phase + minute * 0.05), torch.randn(batch) * 0.05]
    return torch.stack(cols, 1), torch.sin(torch.tensor((minute + 1) * 0.13) + phase).unsqueeze(1)


def fresh():
    return torch.zeros(6, HID), torch.zeros(6, HID)


def roll(x):
    h, c = session.memory
    i, f, o, g = (x @ wx + h @ wh + bias).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    session.memory = (h, c)  # <- culprit
    return h @ head


def rewind_if_new_shift(minute):
    # operators reset the controller during the commissioning phase
    if minute < 10:
        session.memory = fresh()


def descend(rate):
    for w in everything:
        w.grad.clamp_(-1, 1)
        w.data -= rate * w.grad
        w.grad = None


session.memory = fresh()
for minute in range(180):
    rewind_if_new_shift(minute)
    x, nxt = telemetry(minute)
    gap = (roll(x) - nxt).square().mean()
    gap.backward(retain_graph=True)  # <- culprit
    descend(0.05)
    if minute % 30 == 0:
        print("minute", minute, "mse", round(float(gap), 4))
print("done, memory norm", round(float(session.memory[0].norm()), 3))
