# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""ArcFace-like margin learning of face embeddings with a fixed prototype bank."""
import torch

torch.set_num_threads(1)
from heads import prototypes, margin_logits
from backbone import Backbone

torch.manual_seed(4)
bank = prototypes(6, 12)
net = Backbone(20, 12)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
faces = torch.randn(6, 20)

for it in range(200):
    who = torch.randint(0, 6, (16,))
    emb = net(faces[who] + 0.3 * torch.randn(16, 20))
    loss = torch.nn.functional.cross_entropy(margin_logits(emb, bank, who), who)
    opt.zero_grad()
    loss.backward()
    opt.step()
