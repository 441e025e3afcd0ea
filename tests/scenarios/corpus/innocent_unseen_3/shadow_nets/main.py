# gradwatch-corpus: kind=none
# about: checkpointing of both kinds and checkpoint_sequential: backwards inside backwards and recomputed nodes; nothing stays
"""Deep residual MLP over tabular sensors, trained with activation checkpointing of both flavours."""
from config import Plan
from layers import Tower
from loop import fit

import torch

if __name__ == "__main__":
    plan = Plan()
    torch.manual_seed(plan.seed)
    fit(Tower(plan), plan)
