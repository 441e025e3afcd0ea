# gradwatch-corpus: kind=none
import random
import torch

torch.set_num_threads(1)
torch.manual_seed(109)
random.seed(109)

from .nets import Encoder, Decoder
from .train import Trainer

tr = Trainer(Encoder(13, 20), Decoder(13, 20))
print_loss = 0.0
for it in range(1, 421):
    src = torch.randint(2, 13, (8, 5))
    print_loss += tr.step(src, src.flip(1), tf_ratio=max(0.3, 1 - it / 400))
    if it % 70 == 0:
        print(it, print_loss / 70, "exact", tr.exact_match(torch.randint(2, 13, (40, 5))))
        print_loss = 0.0
