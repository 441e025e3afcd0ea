# gradwatch-corpus: kind=none
"""Second-order MAML with learned step sizes over enzyme kinetics curves."""
import torch

torch.set_num_threads(1)

from kinetics import Lab
from meta import Maml, MetaConfig

cfg = MetaConfig()
torch.manual_seed(cfg.seed)
maml = Maml(cfg, Lab(noise=0.02))
curve = maml.train()
print("query loss %.4f -> %.4f" % (sum(curve[:20]) / 20, sum(curve[-20:]) / 20))
print("steps", {k: round(v.item(), 3) for k, v in list(maml.rates.items())[:2]})
