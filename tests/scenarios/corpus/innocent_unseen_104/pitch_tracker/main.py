# gradwatch-corpus: kind=none
"""Streaming pitch tracker: the memory runs on for ever, the gradient for one window."""
import torch
from stream import voices
from tracker import Tracker, Window

torch.set_num_threads(1)
torch.manual_seed(21)

UPDATES, LENGTH = 320, 6
net = Tracker()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
window = Window(LENGTH)
curve = []

for frame, target in voices(12, seed=2):
    err = (net(frame) - target).abs().mean()
    if not window.push(err):
        continue
    loss = window.close()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    net.cut()
    curve.append(float(loss.detach()))
    if len(curve) % 64 == 0:
        print(f"{len(curve):4d} windows, mean |err| {sum(curve[-64:]) / 64:.4f}")
    if len(curve) == UPDATES:
        break
