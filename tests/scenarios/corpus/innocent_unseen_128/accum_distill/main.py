# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
from accumulate import Accumulator
from nets import teacher, student, kd_losses

torch.manual_seed(8)
T, S = teacher(), student()
opt = torch.optim.AdamW(S.parameters(), 2e-3)
acc = Accumulator(S, opt, every=4)
log = []
for micro in range(2000):
    x = torch.randn(8, 3, 8, 8)
    with torch.no_grad():
        t = T(x)
    parts = kd_losses(S(x), t)
    done = acc.add(parts)
    if done:
        log.append(done)
print(len(log), log[0], log[-1])
