# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(71)

from hub import Hub
from parties import Shop

hub = Hub([Shop("mill lane", 0.0), Shop("station", 0.5), Shop("quay", -0.5)])
for _ in range(90):
    hub.round()
print(len(hub.regrets), hub.regrets[-1])
