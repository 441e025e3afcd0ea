# gradwatch-corpus: kind=inplace-modified
# holder: tape | tape.values | self.values | self.tape.values | past
# first-bad: 50
# notice: 0
"""Soft sensor for flue-gas oxygen: roll the model forward over a window of fuel,
air and steam readings.  Curriculum: teacher forcing first, then the model reads
back what it said itself."""
import torch

from curriculum import Curriculum
from plant import Boiler
from rollout import Unroller

torch.set_num_threads(1)
torch.manual_seed(1981)

boiler = Boiler(seed=4)
unroller = Unroller(n_inputs=3, lags=4)
curriculum = Curriculum([("teacher", 50), ("mixed", 100), ("free", 150)])
opt = torch.optim.Adam(unroller.parameters(), lr=3e-3)

for mode, share, step in curriculum:
    inputs, oxygen = boiler.window(batch=16, length=16)
    pred = unroller(inputs, oxygen, own_share=share)
    loss = (pred - oxygen[:, unroller.lags:]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        print(f"{step:4d} {mode:8s} own {share:.2f}  MAE {loss.item():.4f} %O2")
