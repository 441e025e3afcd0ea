# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
torch.set_num_threads(1)
from net import FraudNet

torch.manual_seed(4)
N = 20
risk = torch.randn(N)
net = FraudNet(N)
opt = torch.optim.Adam(net.parameters(), 5e-3)

for epoch in range(5):
    net.start()
    hist, worst = 0.0, (0.0, -1)
    for t in range(100):
        payer, payee = torch.randperm(N)[:8].view(2, 4)
        amount = torch.rand(4, 1)
        label = ((risk[payer] + risk[payee] + amount[:, 0]) > 1).float()
        logit = net(payer, payee, amount)
        loss = F.binary_cross_entropy_with_logits(logit, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.settle()
        net.note(payer, payee, amount)
        hist += loss.detach()
        worst = max(worst, (loss.item(), t))
    print(epoch, (hist / 100).item(), worst)
