# gradwatch-corpus: kind=none
"""Attention-map transfer from a wide net to a thin one on toy radar tiles."""
import torch

torch.set_num_threads(1)

from .transfer import Transfer

torch.manual_seed(73)
t = Transfer(stages=("s1", "s2"))
with t:
    for step in range(430):
        out = t.step(10)
        if step % 100 == 0:
            print(step, out)
