# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(17)

from meta import meta_train
from optimizer_net import CoordinatewiseLSTM

rule = CoordinatewiseLSTM(hidden=8)
history = meta_train(rule, episodes=110, horizon=20, unroll=5)
print("mean final loss, first/last 20 episodes:", round(sum(history[:20]) / 20, 4), round(sum(history[-20:]) / 20, 4))
