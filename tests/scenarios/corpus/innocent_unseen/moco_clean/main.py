# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from ssl_lib.moco import MoCo

torch.manual_seed(0)
model = MoCo(48, 32, K=320)
opt = torch.optim.SGD(model.q.parameters(), 0.05, momentum=0.9)
for i in range(240):
    x = torch.randn(32, 48)
    logits = model(x + 0.2 * torch.randn_like(x), x * (torch.rand_like(x) > 0.1))
    loss = F.cross_entropy(logits, torch.zeros(32, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.enqueue()
    if i % 60 == 0:
        print(i, loss.item())
