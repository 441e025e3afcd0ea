# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from .augment import views
from .moco import MoCo

torch.set_num_threads(1)
torch.manual_seed(14)

protos = torch.randn(10, 32)
model = MoCo(dim_in=32, dim=16, K=256, m=0.99, T=0.1)
opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-4)
top1 = []
for step in range(120):
    base = protos[torch.randint(0, 10, (32,))]
    q, k = views(base)
    logits, labels = model(q, k)
    loss = F.cross_entropy(logits, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    top1.append((logits.argmax(1) == labels).float().mean().item())
    if step % 30 == 0:
        print(step, "loss %.3f" % loss.item(), "top1 %.2f" % top1[-1])
